package io.pilothouse.core.backup;

import io.pilothouse.core.backup.BackupProof.Outcome;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is known of proofs in memory only: of which services an operator waits for one now, and how those since the
 * start have ended. Safe for many threads.
 */
public final class ProofBook {
    private final Map<UUID, Instant> asked = new ConcurrentHashMap<>();
    private final Map<Outcome, Long> ended = new ConcurrentHashMap<>();

    /** The newest backup of this service is to be proven, even if it was proven before this moment. */
    void ask(UUID serviceId, Instant now) {
        asked.put(serviceId, now);
    }

    /** Since when somebody waits for a proof of this backup, the newest of its service; empty once there is one since. */
    Optional<Instant> askedSince(UUID serviceId, Optional<Backup> newest) {
        Instant since = asked.get(serviceId);
        if (since == null) {
            return Optional.empty();
        }
        BackupProof proof = newest.map(Backup::proof).orElse(null);
        if (newest.isEmpty() || (proof != null && !proof.at().isBefore(since))) {
            asked.remove(serviceId, since);
            return Optional.empty();
        }
        return Optional.of(since);
    }

    void ended(Outcome outcome) {
        ended.merge(outcome, 1L, Long::sum);
    }

    /** How many proofs have ended so since the start. */
    public long count(Outcome outcome) {
        return ended.getOrDefault(outcome, 0L);
    }
}
