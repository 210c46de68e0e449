package io.pilothouse.core.backup;

import io.pilothouse.core.backup.BackupPlan.Look;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Kind;
import io.pilothouse.core.port.Tasks.Release;
import io.pilothouse.core.port.Tasks.Urgency;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePass;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings the backups of one service one step nearer to what is wanted, as {@link ServicePass} does a service. One task
 * stands for all backups of a service: it is due when the next one is, or when the next one has outlived its time.
 */
public final class BackupPass implements Pass {
    /** More than any service has: schedules come on top of what callers may ask for. */
    private static final int MOST_LOOKED_AT = 2 * Backup.MOST;

    private static final Logger LOG = System.getLogger(BackupPass.class.getName());

    private final Store store;
    private final Backups backups;
    private final Clock clock;
    private final BackupPlan plan;
    private final Pace pace;
    private final DoubleSupplier jitter;

    /** {@code jitter} gives numbers from 0 (inclusive) to 1 (exclusive). */
    public BackupPass(Store store, Backups backups, Clock clock, BackupPlan plan, Pace pace, DoubleSupplier jitter) {
        this.store = store;
        this.backups = backups;
        this.clock = clock;
        this.plan = plan;
        this.pace = pace;
        this.jitter = jitter;
    }

    @Override
    public void run(Claim claim) {
        BackupScene scene = store.read(tables -> scene(tables, claim.subjectId()));
        BackupMove move = plan.next(scene, look(scene), claim.tries(), clock.now());
        String fault = act(move);
        if (fault != null && Integer.bitCount(claim.tries() + 1) == 1) {
            LOG.log(
                    Level.WARNING,
                    "{0} of service {1}: {2} (try {3})",
                    Kind.BACKUP,
                    claim.subjectId(),
                    fault,
                    claim.tries() + 1);
        }
        store.write(tables -> record(tables, claim, move, fault));
    }

    private BackupScene scene(Tables tables, UUID serviceId) {
        Service service = tables.of(Service.KIND).find(serviceId).orElse(null);
        List<Backup> all = tables.of(Backup.KIND).pageBackwards(serviceId, null, MOST_LOOKED_AT);
        Set<UUID> held = new HashSet<>();
        for (Backup backup : all) {
            if (backup.restoring().stream()
                    .anyMatch(id -> tables.of(Service.KIND)
                            .find(id)
                            .filter(Service::isRestoring)
                            .isPresent())) {
                held.add(backup.id());
            }
        }
        boolean possible = service != null && backups.refusal(service).isEmpty();
        return new BackupScene(service, all, held, possible);
    }

    private Look look(BackupScene scene) {
        Optional<Backup> current = scene.current();
        if (current.isEmpty() || scene.ended()) {
            return new Look.Nothing();
        }
        try {
            return new Look.Seen(
                    backups.observe(current.get().serviceId(), current.get().id()));
        } catch (PlaneFault e) {
            return new Look.Blind(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            return new Look.Blind(unexpected(current.get(), e));
        }
    }

    /** Does the one thing and returns why it did not work, or null. */
    private @Nullable String act(BackupMove move) {
        return switch (move) {
            case BackupMove.Begin(Service service, Backup backup) ->
                attempt(backup, () -> backups.begin(service, backup.id()));
            case BackupMove.Clear(Backup backup) ->
                attempt(backup, () -> backups.drop(backup.serviceId(), backup.id()));
            case BackupMove.BackOff(Backup _, String why) -> why;
            case BackupMove.Watch _,
                    BackupMove.Finish _,
                    BackupMove.Fail _,
                    BackupMove.Schedule _,
                    BackupMove.Retire _,
                    BackupMove.Rest _,
                    BackupMove.Gone _ -> null;
        };
    }

    @FunctionalInterface
    private interface Effect {
        void happen() throws PlaneFault;
    }

    private static @Nullable String attempt(Backup backup, Effect effect) {
        try {
            effect.happen();
            return null;
        } catch (PlaneFault e) {
            return String.valueOf(e.getMessage());
        } catch (RuntimeException e) {
            return unexpected(backup, e);
        }
    }

    private static String unexpected(Backup backup, RuntimeException bug) {
        LOG.log(Level.ERROR, "Backup " + backup.id() + ": the data plane failed in a way it does not declare", bug);
        return "The data plane failed unexpectedly; the log has the details";
    }

    /** First the fence: under an old token nothing below may happen. */
    private boolean record(Tables tables, Claim claim, BackupMove move, @Nullable String fault) {
        Instant now = clock.now();
        boolean mine = move instanceof BackupMove.Gone
                ? tables.tasks().finish(claim)
                : tables.tasks().release(claim, release(claim, move, fault, now), now);
        if (!mine) {
            return false;
        }
        switch (move) {
            case BackupMove.Begin(Service _, Backup backup) -> overwrite(tables, backup, backup.troubled(fault));
            case BackupMove.BackOff(Backup backup, String why) -> overwrite(tables, backup, backup.troubled(why));
            case BackupMove.Finish(Backup backup, long bytes) -> overwrite(tables, backup, backup.done(bytes, now));
            case BackupMove.Fail(Backup backup, String why) -> overwrite(tables, backup, backup.failed(why, now));
            case BackupMove.Retire(Backup backup) -> overwrite(tables, backup, backup.leaving());
            case BackupMove.Clear(Backup backup) -> {
                if (fault == null) {
                    cleared(tables, backup);
                }
            }
            case BackupMove.Schedule(Service service) -> schedule(tables, service, now);
            case BackupMove.Watch _, BackupMove.Rest _, BackupMove.Gone _ -> {}
        }
        return true;
    }

    /** Somebody may have written it meanwhile, to restore from it: what was decided then no longer counts. */
    private static void overwrite(Tables tables, Backup looked, Backup next) {
        if (!next.equals(looked)) {
            tables.of(Backup.KIND).replace(next, looked.version());
        }
    }

    private static void cleared(Tables tables, Backup backup) {
        if (backup.state() == Backup.State.LEAVING) {
            tables.of(Backup.KIND).delete(backup.id(), backup.version());
        } else {
            overwrite(tables, backup, backup.cleared());
        }
    }

    /** A caller may have been faster: one backup at a time. */
    private static void schedule(Tables tables, Service service, Instant now) {
        if (!BackupsOfService.isUnderWay(tables, service.id())) {
            tables.of(Backup.KIND).insert(Backup.of(service, RowIds.at(now), Backup.Trigger.SCHEDULE, now));
        }
    }

    private Release release(Claim claim, BackupMove move, @Nullable String fault, Instant now) {
        return switch (move) {
            case BackupMove.Rest(Instant until) -> new Release(until, Urgency.ROUTINE, 0, true);
            case BackupMove.Watch(Backup _, Instant until) -> new Release(until, Urgency.ROUTINE, 0, false);
            case BackupMove.Begin(Service _, Backup backup) -> afterAttempt(claim, fault, plan.deadline(backup), now);
            case BackupMove.BackOff(Backup backup, String _) -> afterAttempt(claim, fault, plan.deadline(backup), now);
            case BackupMove.Clear _ -> afterAttempt(claim, fault, Instant.MAX, now);
            case BackupMove.Finish _,
                    BackupMove.Fail _,
                    BackupMove.Schedule _,
                    BackupMove.Retire _,
                    BackupMove.Gone _ -> new Release(now, Urgency.ROUTINE, 0, false);
        };
    }

    /** Comes back no later than the deadline, so that a delay is shown when it is due. */
    private Release afterAttempt(Claim claim, @Nullable String fault, Instant deadline, Instant now) {
        int tries = fault == null ? 0 : claim.tries() + 1;
        Duration pause = fault == null ? pace.firstLook() : pace.backOff(claim.tries(), jitter.getAsDouble());
        Instant next = now.plus(pause);
        return new Release(next.isBefore(deadline) ? next : deadline, Urgency.ROUTINE, tries, false);
    }
}
