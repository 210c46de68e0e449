package io.pilothouse.core.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Backup.Trigger;
import io.pilothouse.core.backup.BackupProof.Outcome;
import io.pilothouse.core.service.Given;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ProofBookTest {
    private static final Instant NOW = Instant.parse("2026-05-01T00:00:00Z");

    private final ProofBook book = new ProofBook();
    private final UUID service = Given.SERVICE;
    private final Backup backup =
            Backup.of(Given.service(), UUID.randomUUID(), Trigger.DEMAND, NOW).done(Archive.of(7), NOW);

    private Optional<Backup> provenAt(Instant at) {
        return Optional.of(backup.proven(new BackupProof(at, Outcome.UNTRIED, 0, 0, "No room")));
    }

    @Test
    void aProofIsWaitedForUntilThereIsOneSince() {
        assertThat(book.askedSince(service, Optional.of(backup))).isEmpty();
        book.ask(service, NOW);
        assertThat(book.askedSince(service, Optional.of(backup))).contains(NOW);
        assertThat(book.askedSince(service, provenAt(NOW.minusNanos(1)))).contains(NOW);
        assertThat(book.askedSince(service, provenAt(NOW))).isEmpty();
        assertThat(book.askedSince(service, Optional.of(backup))).isEmpty();
    }

    @Test
    void nobodyWaitsOnceThereIsNoBackup() {
        book.ask(service, NOW);
        assertThat(book.askedSince(service, Optional.empty())).isEmpty();
        assertThat(book.askedSince(service, Optional.of(backup))).isEmpty();
    }

    @Test
    void endsAreCounted() {
        book.ended(Outcome.DAMAGED);
        book.ended(Outcome.DAMAGED);
        assertThat(book.count(Outcome.DAMAGED)).isEqualTo(2);
        assertThat(book.count(Outcome.RESTORABLE)).isZero();
    }
}
