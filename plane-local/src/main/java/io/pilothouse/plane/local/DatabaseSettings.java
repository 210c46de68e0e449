package io.pilothouse.plane.local;

import io.pilothouse.core.secret.PasswordHashes;
import io.pilothouse.core.service.Service;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings wanted for one service's database; equal ones have the same fingerprint, which reveals no secret. One
 * that is {@code full} takes no more rows; {@code version} is the installed ClickHouse that it is to run on, null for
 * the newest.
 */
public record DatabaseSettings(
        PasswordHashes password,
        long memoryBytes,
        List<Service.Setting> settings,
        boolean full,
        @Nullable String version) {
    /** Which users a database has: one that was started with others is started again. */
    private static final String USERS = "with users for query endpoints";

    private static final long MIN_MEMORY_BYTES = 256L << 20;

    public DatabaseSettings(PasswordHashes password, long memoryBytes, List<Service.Setting> settings) {
        this(password, memoryBytes, settings, false, null);
    }

    public DatabaseSettings {
        settings = List.copyOf(settings);
        requireHex(password.sha256(), 64);
        requireHex(password.doubleSha1(), 40);
        if (memoryBytes < MIN_MEMORY_BYTES) {
            throw new IllegalArgumentException("A database needs at least " + MIN_MEMORY_BYTES + " bytes of memory.");
        }
    }

    DatabaseSettings whenFull(boolean isFull) {
        return new DatabaseSettings(password, memoryBytes, settings, isFull, version);
    }

    DatabaseSettings on(@Nullable String otherVersion) {
        return new DatabaseSettings(password, memoryBytes, settings, full, otherVersion);
    }

    String fingerprint() {
        String all = USERS + ":" + password.sha256() + ":" + password.doubleSha1() + ":" + memoryBytes
                + settings.stream()
                        .map(setting -> "\n" + setting.name() + "\n" + setting.value())
                        .collect(Collectors.joining())
                + (full ? "\nfull" : "");
        return Secrets.sha256Hex(all.getBytes(StandardCharsets.UTF_8));
    }

    private static void requireHex(String text, int length) {
        if (text.length() != length || !text.chars().allMatch(c -> Character.digit(c, 16) >= 0)) {
            // Without the text: it is derived from a password.
            throw new IllegalArgumentException("A password hash must have " + length + " hexadecimal digits.");
        }
    }
}
