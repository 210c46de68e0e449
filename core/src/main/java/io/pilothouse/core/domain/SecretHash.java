package io.pilothouse.core.domain;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Turns secrets into what may be kept of them: a SHA-256 keyed with the installation's pepper, so that a copy of the
 * store alone proves nothing. Safe for many threads; never shows the pepper.
 */
public final class SecretHash {
    private static final int PEPPER_BYTES = 32;
    private final SecretKeySpec pepper;

    public SecretHash(byte[] pepper) {
        if (pepper.length != PEPPER_BYTES) {
            throw new IllegalArgumentException("The pepper must be " + PEPPER_BYTES + " bytes");
        }
        this.pepper = new SecretKeySpec(Arrays.copyOf(pepper, pepper.length), "HmacSHA256");
    }

    /** The keyed hash of a secret's text. */
    public String of(String secret) {
        return ofDigest(sha256(secret));
    }

    /** The keyed hash of a secret of which only the SHA-256 is known. */
    public String ofDigest(byte[] secretSha256) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(pepper);
            return base64(mac.doFinal(secretSha256));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is part of every JDK", e);
        }
    }

    /** Whether this text has that keyed hash; takes the same time wherever they differ. */
    public boolean matches(String secret, String keyedHash) {
        return MessageDigest.isEqual(
                of(secret).getBytes(StandardCharsets.US_ASCII), keyedHash.getBytes(StandardCharsets.US_ASCII));
    }

    public static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("SHA-256 is part of every JDK", e);
        }
    }

    public static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
