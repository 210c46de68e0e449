package io.pilothouse.core.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs a message the way the Standard Webhooks convention says, so that receivers need no code of ours: HMAC-SHA256
 * over {@code id.timestamp.body}. A secret that begins with {@code whsec_} continues in base64, any other is taken as
 * text.
 */
public final class Signature {
    public static final String PREFIX = "whsec_";
    private static final int SECRET_BYTES = 32;

    private final SecretKeySpec key;

    public Signature(String secret) {
        byte[] bytes = secret.startsWith(PREFIX)
                ? Base64.getDecoder().decode(secret.substring(PREFIX.length()))
                : secret.getBytes(StandardCharsets.UTF_8);
        this.key = new SecretKeySpec(bytes, "HmacSHA256");
    }

    public static String newSecret(SecureRandom random) {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return PREFIX + SecretHash.base64(bytes);
    }

    /** One of the values of the header {@code webhook-signature}, which are separated by spaces. */
    public String of(String id, long timestampSeconds, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            mac.update((id + "." + timestampSeconds + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + SecretHash.base64(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is part of every JDK", e);
        }
    }
}
