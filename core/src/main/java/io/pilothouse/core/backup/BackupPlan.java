package io.pilothouse.core.backup;

import io.pilothouse.core.backup.Backups.Progress;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.TimeLimit;
import io.pilothouse.core.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to do next about the backups of a service; pure, and without a stored phase. Making data safe comes
 * before making room.
 */
public final class BackupPlan {
    /** How long a backup may take before clients see that it failed. */
    public static final Duration PATIENCE = Duration.ofHours(6);

    /** Without anything to come, the row is looked at this often, in case that the engine can do more by then. */
    private static final Duration MAX_PAUSE = Duration.ofDays(7);

    /** The time until an expired backup that is still being restored from is looked at again. */
    private static final Duration HELD = Duration.ofHours(1);

    /** What a bucket does not let go of for this long is left in it: its owner may have taken it away, or its keys. */
    private static final Duration LEFT_BEHIND = Duration.ofDays(7);

    /** A proof that has to wait for another one, or for room, is asked for again after this. */
    private static final Duration PROOF_WAITS = Duration.ofMinutes(10);

    private final Duration patience;
    private final Pace pace;
    private final Duration provenEvery;

    /** One backup of each service is known to be good that was proven no longer ago than {@code provenEvery}; zero is when asked. */
    public BackupPlan(Duration patience, Pace pace, Duration provenEvery) {
        this.patience = patience;
        this.pace = pace;
        this.provenEvery = provenEvery;
    }

    /** The last look at the backup that is to be made now, or at the proof of one. */
    public sealed interface Look {
        record Seen(Progress progress) implements Look {}

        record SeenProof(Proving proving) implements Look {}

        record Blind(String fault) implements Look {}

        /** No backup and no proof is due, so nothing was looked at. */
        record Nothing() implements Look {}
    }

    /** {@code tries} is how often in a row it went wrong: where several things are left over, another one is tried then. */
    public BackupMove next(BackupScene scene, Look look, int tries, Instant now) {
        Optional<Backup> current = scene.current();
        if (current.isPresent()) {
            Service alive = scene.ended() ? null : scene.service();
            return alive == null
                    ? new BackupMove.Retire(current.get())
                    : forward(alive, current.get(), scene.running(), look, now);
        }
        Optional<Instant> due = scene.due();
        Service service = scene.service();
        if (service != null && due.isPresent() && !due.get().isAfter(now)) {
            return new BackupMove.Schedule(service);
        }
        List<Backup> leftovers = scene.leftovers();
        if (!leftovers.isEmpty()) {
            return new BackupMove.Clear(leftovers.get(tries % leftovers.size()));
        }
        Instant until = due.orElse(now.plus(MAX_PAUSE));
        for (Backup backup : scene.backups()) {
            Optional<Instant> expiry = scene.expiry(backup);
            if (expiry.isPresent()) {
                boolean past = !expiry.get().isAfter(now);
                boolean held = scene.held().contains(backup.id());
                if (past && !held) {
                    return new BackupMove.Retire(backup);
                }
                until = earlier(until, past ? now.plus(HELD) : expiry.get());
            }
        }
        if (service == null && scene.backups().isEmpty()) {
            return new BackupMove.Gone();
        }
        Optional<Backup> unproven = toProve(scene, now);
        if (unproven.isPresent()) {
            return proof(unproven.get(), scene, look, until, now);
        }
        Optional<Instant> later = proofDue(scene);
        return new BackupMove.NotDue(later.isPresent() ? earlier(until, later.get()) : until);
    }

    /** The backup that is to be proven now, once nothing else is to be done. */
    Optional<Backup> toProve(BackupScene scene, Instant now) {
        boolean isDue = scene.current().isEmpty()
                && proofDue(scene).filter(at -> !at.isAfter(now)).isPresent();
        return isDue ? scene.toProve() : Optional.empty();
    }

    private Optional<Instant> proofDue(BackupScene scene) {
        return scene.proofDue(provenEvery);
    }

    private BackupMove proof(Backup backup, BackupScene scene, Look look, Instant until, Instant now) {
        Instant asked = scene.proofAskedAt();
        return switch (look) {
            case Look.SeenProof(Proving.Idle _) -> new BackupMove.Prove(backup);
            case Look.SeenProof(Proving.Busy _) -> {
                Instant again = asked == null ? now.plus(PROOF_WAITS) : pace.nextLook(asked, now);
                yield new BackupMove.NotDue(earlier(until, again));
            }
            case Look.SeenProof(Proving.UnderWay _) ->
                new BackupMove.NotDue(earlier(until, pace.nextLook(backup.createdAt(), now)));
            case Look.SeenProof(Proving.Ended ended) -> new BackupMove.Proven(backup, ended.at(now));
            case Look.Blind _ -> new BackupMove.NotDue(earlier(until, now.plus(PROOF_WAITS)));
            // It became due since it was decided what to look at.
            case Look.Seen _, Look.Nothing _ -> new BackupMove.NotDue(now);
        };
    }

    private BackupMove forward(Service service, Backup backup, boolean running, Look look, Instant now) {
        boolean late = !now.isBefore(deadline(backup));
        return switch (look) {
            case Look.Blind(String fault) ->
                late ? new BackupMove.Fail(backup, sentence(fault)) : new BackupMove.BackOff(backup, fault);
            case Look.Nothing _ -> throw new IllegalStateException("A backup that is to be made was not looked at");
            case Look.SeenProof _ -> throw new IllegalStateException("A backup that is to be made was not looked at");
            case Look.Seen(Progress.Finished(Archive archive)) -> new BackupMove.Finish(backup, archive);
            case Look.Seen(Progress.Failed(String reason)) -> new BackupMove.Fail(backup, reason);
            case Look.Seen(Progress.UnderWay _) ->
                late
                        ? new BackupMove.Fail(backup, sentence(backup.trouble()))
                        : new BackupMove.Watch(backup, look(backup, now));
            case Look.Seen(Progress.Unknown _) -> {
                if (late) {
                    yield new BackupMove.Fail(backup, sentence(running ? backup.trouble() : "the service did not run"));
                }
                // A service that comes to run wakes its backups.
                yield running ? new BackupMove.Begin(service, backup) : new BackupMove.Watch(backup, deadline(backup));
            }
        };
    }

    /** Whether a backup whose bytes cannot be deleted is forgotten all the same. */
    boolean givesUp(Backup backup, Instant now) {
        Instant ended = backup.endedAt();
        return backup.bucketId() != null && ended != null && !now.isBefore(ended.plus(LEFT_BEHIND));
    }

    /** How many of these tries can have been for this backup. */
    int triesFor(Backup backup, int tries, Instant now) {
        return pace.triesFor(Duration.between(backup.createdAt(), now), tries);
    }

    Instant deadline(Backup backup) {
        return backup.createdAt().plus(patience);
    }

    private Instant look(Backup backup, Instant now) {
        return earlier(pace.nextLook(backup.createdAt(), now), deadline(backup));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private String sentence(@Nullable String cause) {
        String late = "It was not finished within " + TimeLimit.words(patience);
        return cause == null ? late : late + ": " + cause;
    }
}
