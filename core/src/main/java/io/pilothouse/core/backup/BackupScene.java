package io.pilothouse.core.backup;

import io.pilothouse.core.backup.Backup.State;
import io.pilothouse.core.backup.BackupProof.Outcome;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that a decision about the backups of one service rests on, read at one moment: the service if it is still there,
 * its backups from the newest on, those that are still being restored from, whether its engine can make any, and since
 * when an operator waits for a proof of the newest; null if nobody does.
 */
public record BackupScene(
        @Nullable Service service,
        List<Backup> backups,
        Set<UUID> held,
        boolean possible,
        @Nullable Instant proofAskedAt) {
    private static final Duration TRIED_AGAIN_AFTER = Duration.ofDays(1);

    public BackupScene {
        backups = List.copyOf(backups);
        held = Set.copyOf(held);
    }

    BackupScene(@Nullable Service service, List<Backup> backups, Set<UUID> held, boolean possible) {
        this(service, backups, held, possible, null);
    }

    /** The same, where an operator waits for a proof since then, if so. */
    BackupScene asked(Optional<Instant> since) {
        return new BackupScene(service, backups, held, possible, since.orElse(null));
    }

    /** Whether the service is deleted or being deleted, so that no more is copied from it. */
    boolean ended() {
        return service == null || service.wish() == Wish.DELETE;
    }

    boolean running() {
        return service != null
                && service.wishNow() == Wish.RUN
                && service.seen().condition() == Condition.RUNNING;
    }

    /** The backup that is to be made now, of which there is one at most. */
    Optional<Backup> current() {
        return backups.stream()
                .filter(backup -> backup.state() == State.IN_PROGRESS)
                .findFirst();
    }

    List<Backup> leftovers() {
        return backups.stream()
                .filter(backup -> backup.state() == State.FAILED || backup.state() == State.LEAVING)
                .toList();
    }

    /** When a service that runs is to be backed up next; empty where nothing is scheduled. */
    Optional<Instant> due() {
        if (service == null
                || !running()
                || service.isMoving()
                || !possible
                || !service.warehouse().primary()) {
            return Optional.empty();
        }
        Instant last = backups.stream()
                .filter(backup -> backup.trigger() == Backup.Trigger.SCHEDULE)
                .map(Backup::createdAt)
                .max(Instant::compareTo)
                .orElse(service.createdAt());
        return Optional.of(service.backups().nextAfter(last));
    }

    /**
     * When a backup may be deleted; empty for one that stays. The newest good backup of a service outlives its
     * time: a service that sleeps, or whose backups fail, must not end up without any.
     */
    Optional<Instant> expiry(Backup backup) {
        Instant end = backup.endedAt();
        if (end == null || (backup.state() != State.DONE && backup.state() != State.CLEARED)) {
            return Optional.empty();
        }
        if (!ended() && newestDone().filter(backup::equals).isPresent()) {
            return Optional.empty();
        }
        int hours =
                service == null ? backup.retentionHours() : service.backups().retentionHours();
        return Optional.of(end.plus(Duration.ofHours(hours)));
    }

    private Optional<Backup> newestDone() {
        return backups.stream().filter(Backup::isGood).findFirst().or(this::toProve);
    }

    /**
     * When the newest finished backup is to be proven, if one of them is to be known to be good that was proven no
     * longer than this ago; empty without a finished backup, and for a service that has ended. Zero asks for none but those
     * that an operator waits for.
     */
    Optional<Instant> proofDue(Duration every) {
        if (proofAskedAt != null || every.isZero()) {
            return toProve().flatMap(_ -> Optional.ofNullable(proofAskedAt));
        }
        return toProve()
                .map(newest -> backups.stream()
                        .filter(backup -> backup.isGood() || backup.equals(newest))
                        .flatMap(backup -> Stream.ofNullable(backup.proof()))
                        .map(proof -> proof.at().plus(proof.outcome() == Outcome.UNTRIED ? TRIED_AGAIN_AFTER : every))
                        .max(Instant::compareTo)
                        .orElse(Instant.MIN));
    }

    /** The backup that a proof is worth most for. */
    Optional<Backup> toProve() {
        return ended()
                ? Optional.empty()
                : backups.stream()
                        .filter(backup -> backup.state() == State.DONE)
                        .findFirst();
    }
}
