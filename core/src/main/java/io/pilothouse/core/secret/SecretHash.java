package io.pilothouse.core.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Hashes secrets for storage: SHA-256 keyed with the installation's pepper, so that a copy of the store alone is
 * useless. After a change of the pepper a hash that was made before is kept as the hash of itself under the new one,
 * with how many changes ago it was made in front, until its secret is seen again. Safe for many threads; never shows a
 * pepper.
 */
public final class SecretHash {
    private static final int PEPPER_BYTES = 32;
    // Never used directly: copying one takes a third of the time of looking up an algorithm and keying it.
    private static final MessageDigest SHA_256 = unusedDigest();
    private static final char AGO = ':';
    private final List<Mac> peppers;

    public SecretHash(byte[] pepper) {
        this(List.of(pepper));
    }

    /** With the peppers of the installation, the newest first; the older ones only prove hashes that need them. */
    public SecretHash(List<byte[]> peppers) {
        if (peppers.isEmpty()) {
            throw new IllegalArgumentException("There must be a pepper");
        }
        this.peppers = peppers.stream().map(SecretHash::keyed).toList();
    }

    private static Mac keyed(byte[] pepper) {
        if (pepper.length != PEPPER_BYTES) {
            throw new IllegalArgumentException("The pepper must be " + PEPPER_BYTES + " bytes");
        }
        try {
            Mac keyed = Mac.getInstance("HmacSHA256");
            keyed.init(new SecretKeySpec(pepper, "HmacSHA256"));
            return keyed;
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
        return base64(under(0, secretSha256));
    }

    /** Every form in which the keyed hash of this secret may be kept, the newest first. */
    public List<String> forms(String secret) {
        List<String> forms = new ArrayList<>();
        for (int ago = 0; ago < peppers.size(); ago++) {
            byte[] hash = sha256(secret);
            for (int at = ago; at >= 0; at--) {
                hash = under(at, hash);
            }
            forms.add(ago == 0 ? base64(hash) : ago + "" + AGO + base64(hash));
        }
        return forms;
    }

    /** How many changes of the pepper ago this hash was made. */
    public static int age(String keyedHash) {
        int end = keyedHash.indexOf(AGO);
        return end < 0 ? 0 : Integer.parseInt(keyedHash.substring(0, end));
    }

    /** What is kept instead of a hash from before the newest pepper came. */
    public String renewed(String keyedHash) {
        byte[] hash = Base64.getDecoder().decode(keyedHash.substring(keyedHash.indexOf(AGO) + 1));
        return (age(keyedHash) + 1) + "" + AGO + base64(under(0, hash));
    }

    private byte[] under(int pepper, byte[] content) {
        try {
            return ((Mac) peppers.get(pepper).clone()).doFinal(content);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("The JDK's HmacSHA256 can be copied", e);
        }
    }

    /** Whether this text has that keyed hash; takes the same time wherever they differ. */
    public boolean matches(String secret, String keyedHash) {
        byte[] kept = keyedHash.getBytes(StandardCharsets.US_ASCII);
        boolean matches = false;
        for (String form : forms(secret)) {
            matches |= MessageDigest.isEqual(form.getBytes(StandardCharsets.US_ASCII), kept);
        }
        return matches;
    }

    public static byte[] sha256(String text) {
        return sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    public static byte[] sha256(byte[] bytes) {
        return newSha256().digest(bytes);
    }

    /** For what is read in pieces. */
    public static MessageDigest newSha256() {
        try {
            return (MessageDigest) SHA_256.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("The JDK's SHA-256 can be copied", e);
        }
    }

    public static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
