package io.pilothouse.plane.local;

import io.pilothouse.core.secret.SecretHash;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Makes and hashes the passwords that only this plane uses. */
final class Secrets {
    private static final int PASSWORD_BYTES = 32;

    private Secrets() {}

    static String newPassword() {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /** The password of the pipes' user, which does not give away the one it follows from. */
    static String ofPipes(String ownPassword) {
        return sha256Hex(("pipes " + ownPassword).getBytes(StandardCharsets.US_ASCII));
    }

    static String sha256Hex(byte[] bytes) {
        return HexFormat.of().formatHex(SecretHash.sha256(bytes));
    }
}
