package io.pilothouse.core.service;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.secret.PasswordHashes;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request for another password as it was read. Without a hash one is made; a hash for the MySQL protocol alone says
 * nothing and is passed over. Empty texts count as not given.
 */
public record PasswordChange(
        @Nullable String newPasswordHash, @Nullable String newDoubleSha1Hash) {
    private static final Pattern BASE64_OF_32_BYTES = Pattern.compile("[A-Za-z0-9+/]{43}=");
    private static final Pattern HEX_OF_20_BYTES = Pattern.compile("[0-9A-Fa-f]{40}");

    /** Opens nothing: no password has this hash, as far as anybody knows. */
    private static final String NO_MYSQL_PASSWORD = "00".repeat(20);

    /** Whether the caller brings the password's hash along, so that none is made. */
    public boolean bringsHash() {
        return given(newPasswordHash);
    }

    public void check(Faults faults) {
        if (newPasswordHash != null
                && given(newPasswordHash)
                && !BASE64_OF_32_BYTES.matcher(newPasswordHash).matches()) {
            faults.add("newPasswordHash", "must be the SHA-256 of the password in base64, 44 characters");
        }
        if (newDoubleSha1Hash != null
                && given(newDoubleSha1Hash)
                && !HEX_OF_20_BYTES.matcher(newDoubleSha1Hash).matches()) {
            faults.add("newDoubleSha1Hash", "must be the double SHA-1 of the password in hexadecimal, 40 characters");
        }
    }

    /** The stored form of a checked hash. Without the other one the MySQL protocol lets no client in. */
    public PasswordHashes hashes() {
        if (newPasswordHash == null) {
            throw new IllegalStateException("No hash was given");
        }
        String sha256 = HexFormat.of().formatHex(Base64.getDecoder().decode(newPasswordHash));
        String sha1 = newDoubleSha1Hash != null && given(newDoubleSha1Hash)
                ? newDoubleSha1Hash.toLowerCase(Locale.ROOT)
                : NO_MYSQL_PASSWORD;
        return new PasswordHashes(sha256, sha1);
    }

    private static boolean given(@Nullable String text) {
        return text != null && !text.isEmpty();
    }

    @Override
    public String toString() {
        return "PasswordChange[]";
    }
}
