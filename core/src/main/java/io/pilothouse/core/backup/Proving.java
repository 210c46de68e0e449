package io.pilothouse.core.backup;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How far a plane has come with proving that a backup can be restored. */
public sealed interface Proving {
    /** Nothing is known of it: it can be begun. */
    record Idle() implements Proving {}

    /** Another backup is being proven, or there is no room for one more database now. */
    record Busy() implements Proving {}

    record UnderWay() implements Proving {}

    /** It has ended so, which is remembered until the backup is dropped. */
    record Ended(
            BackupProof.Outcome outcome,
            long parts,
            long rows,
            @Nullable String problem) implements Proving {
        public static Ended restorable(long parts, long rows) {
            return new Ended(BackupProof.Outcome.RESTORABLE, parts, rows, null);
        }

        public static Ended damaged(String problem) {
            return new Ended(BackupProof.Outcome.DAMAGED, 0, 0, problem);
        }

        public static Ended untried(String problem) {
            return new Ended(BackupProof.Outcome.UNTRIED, 0, 0, problem);
        }

        BackupProof at(Instant now) {
            return new BackupProof(now, outcome, parts, rows, problem);
        }
    }
}
