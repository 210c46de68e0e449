package io.pilothouse.core.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Hashes secrets for storage: SHA-256 keyed with the installation's pepper, so that a copy of the store alone is
 * useless. Safe for many threads; never shows the pepper.
 */
public final class SecretHash {
    private static final int PEPPER_BYTES = 32;
    // Never used directly: copying one takes a third of the time of looking up an algorithm and keying it.
    private static final MessageDigest SHA_256 = unusedDigest();
    private final Mac keyed;

    public SecretHash(byte[] pepper) {
        if (pepper.length != PEPPER_BYTES) {
            throw new IllegalArgumentException("The pepper must be " + PEPPER_BYTES + " bytes");
        }
        try {
            this.keyed = Mac.getInstance("HmacSHA256");
            keyed.init(new SecretKeySpec(pepper, "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is part of every JDK", e);
        }
    }

    private static MessageDigest unusedDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("SHA-256 is part of every JDK", e);
        }
    }

    /** The keyed hash of a secret's text. */
    public String of(String secret) {
        return ofDigest(sha256(secret));
    }

    /** The keyed hash of a secret of which only the SHA-256 is known. */
    public String ofDigest(byte[] secretSha256) {
        try {
            return base64(((Mac) keyed.clone()).doFinal(secretSha256));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("The JDK's HmacSHA256 can be copied", e);
        }
    }

    /** Whether this text has that keyed hash; takes the same time wherever they differ. */
    public boolean matches(String secret, String keyedHash) {
        return MessageDigest.isEqual(
                of(secret).getBytes(StandardCharsets.US_ASCII), keyedHash.getBytes(StandardCharsets.US_ASCII));
    }

    public static byte[] sha256(String text) {
        return sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    public static byte[] sha256(byte[] bytes) {
        try {
            return ((MessageDigest) SHA_256.clone()).digest(bytes);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("The JDK's SHA-256 can be copied", e);
        }
    }

    public static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
