package io.pilothouse.server.metrics;

import io.pilothouse.core.backup.BackupProof.Outcome;
import io.pilothouse.core.backup.ProofBook;
import io.pilothouse.core.backup.ProofRequests;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.http.metrics.MetricsText;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Shows how proofs of backups have ended, and how old a backup is that nobody knows to be restorable. */
public final class BackupMeter {
    /** It takes a look-up for each service, and changes by hours. */
    private static final Duration LOOKS_EVERY = Duration.ofMinutes(5);

    private final ProofBook book;
    private final ProofRequests proofs;
    private final Clock clock;
    private @Nullable Instant lookedAt;
    private @Nullable Instant oldestUnproven;

    public BackupMeter(ProofBook book, ProofRequests proofs, Clock clock) {
        this.book = book;
        this.proofs = proofs;
        this.clock = clock;
    }

    public void write(MetricsText text) {
        text.family(
                "pilothouse_backup_proofs_total", MetricsText.Kind.COUNTER, "Proofs of backups, by how they ended.");
        for (Outcome outcome : Outcome.values()) {
            text.sample("pilothouse_backup_proofs_total", book.count(outcome), "outcome", outcome.word());
        }
        if (proofs.refusal().isPresent()) {
            return;
        }
        try {
            text.single(
                    "pilothouse_backup_unproven_age_seconds",
                    MetricsText.Kind.GAUGE,
                    "Age of the oldest backup that is the newest of its service and not known to be restorable.",
                    MetricsText.seconds(unprovenFor().toNanos()));
        } catch (StoreUnavailable unavailable) {
            // A gauge that is missing says so.
        }
    }

    private synchronized Duration unprovenFor() {
        Instant now = clock.now();
        if (lookedAt == null || !now.isBefore(lookedAt.plus(LOOKS_EVERY)) || now.isBefore(lookedAt)) {
            oldestUnproven = proofs.oldestUnproven().orElse(null);
            lookedAt = now;
        }
        return oldestUnproven == null ? Duration.ZERO : Duration.between(oldestUnproven, now);
    }
}
