package io.pilothouse.core.snapshot;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an organization, or of the whole server, at one moment, kept under a name, with {@code dataBytes} of data
 * where services have some. The marks show later whether the keys that its secrets are sealed and hashed with are still
 * there.
 */
public record Snapshot(
        String name,
        @Nullable UUID organizationId,
        Instant takenAt,
        long rows,
        long services,
        long bytes,
        @Nullable Long dataBytes,
        Marks marks) {
    /** A text that the vault sealed, and one that was hashed, when the snapshot was taken. */
    public record Marks(String sealed, String hashed) {}
}
