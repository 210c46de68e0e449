package io.pilothouse.core.service;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.secret.PasswordHashes;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A request for another password as it was read. Without a hash one is made; a hash for the MySQL protocol alone says
 * nothing and is passed over. Empty texts count as not given.
 */
public record PasswordChange(
        @Nullable String newPasswordHash, @Nullable String newDoubleSha1Hash) {
    /** Opens nothing: no password has this hash, as far as anybody knows. */
    private static final String NO_MYSQL_PASSWORD = "00".repeat(20);

    /** Whether the caller brings the password's hash along, so that none is made. */
    public boolean bringsHash() {
        return given(newPasswordHash);
    }

    public void check(Faults faults) {
        RuleBook.PASSWORD_SHA256.check("newPasswordHash", newPasswordHash, faults);
        RuleBook.PASSWORD_DOUBLE_SHA1.check("newDoubleSha1Hash", newDoubleSha1Hash, faults);
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
