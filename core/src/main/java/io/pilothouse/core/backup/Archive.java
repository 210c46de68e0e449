package io.pilothouse.core.backup;

import org.jspecify.annotations.Nullable;

/** The file that a backup was made as: its length, and its SHA-256 in hexadecimal digits where its plane knows it. */
public record Archive(long bytes, @Nullable String sha256) {
    static final Archive NONE = of(0);

    public static Archive of(long bytes) {
        return new Archive(bytes, null);
    }
}
