package io.pilothouse.core.backup;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What came of the last time that a backup was restored into an empty database to see whether it can be: how many parts
 * of tables came back as its service had them, and how many rows those have. {@code problem} is a sentence for clients,
 * and null for one that was restored whole.
 */
public record BackupProof(
        Instant at,
        Outcome outcome,
        long parts,
        long rows,
        @Nullable String problem) {
    /** What is known by it. */
    public enum Outcome {
        RESTORABLE,
        /** It cannot be restored, or what was restored is not what the service had. */
        DAMAGED,
        /** It could not be tried, for a reason that says nothing of the backup. */
        UNTRIED;

        /** The word that clients see. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
