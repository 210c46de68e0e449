package io.pilothouse.core.backup;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.backup.BackupPlan.Look;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.engine.Comeback.Terms;
import io.pilothouse.core.engine.Next;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.PlannedPass;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Urgency;
import io.pilothouse.core.service.Service;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Brings the backups of one service one step nearer to what is wanted. One task stands for all backups of a service: it
 * is due when the next one is, or when the next one has outlived its time.
 */
public final class BackupPass extends PlannedPass<BackupScene, Look, BackupMove> {
    private static final Logger LOG = System.getLogger(BackupPass.class.getName());

    /** More than any service has: schedules come on top of what callers may ask for. */
    private static final int MAX_LOOKED_AT = 2 * RuleBook.MAX_BACKUPS;

    private final Backups backups;
    private final BackupPlan plan;
    private final ProofBook book;
    private final Clock clock;

    public BackupPass(Ground ground, Backups backups, BackupPlan plan, ProofBook book) {
        super(ground);
        this.backups = backups;
        this.plan = plan;
        this.book = book;
        this.clock = ground.clock();
    }

    /** With the pace of everything else, and proofs as often as the plane makes them. */
    public static BackupPass usual(Ground ground, Backups backups, ProofBook book) {
        BackupPlan plan = new BackupPlan(BackupPlan.PATIENCE, Pace.USUAL, backups.provenEvery());
        return new BackupPass(ground, backups, plan, book);
    }

    @Override
    protected Optional<BackupScene> find(Tables tables, UUID serviceId) {
        Service service = tables.of(Service.KIND).find(serviceId).orElse(null);
        List<Backup> all = tables.of(Backup.KIND).pageBackwards(serviceId, null, MAX_LOOKED_AT);
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
        BackupScene scene = new BackupScene(service, all, held, possible);
        return Optional.of(scene.asked(book.askedSince(serviceId, scene.toProve())));
    }

    @Override
    protected Optional<Look> known(BackupScene scene) {
        boolean looks = scene.current().isPresent() && !scene.ended();
        return looks || plan.toProve(scene, clock.now()).isPresent()
                ? Optional.empty()
                : Optional.of(new Look.Nothing());
    }

    @Override
    protected Look look(BackupScene scene) throws PlaneFault {
        Optional<Backup> current = scene.current();
        if (current.isPresent()) {
            return new Look.Seen(
                    backups.observe(current.get().serviceId(), current.get().id()));
        }
        Backup unproven = scene.toProve().orElseThrow();
        return new Look.SeenProof(backups.proving(unproven.serviceId(), unproven.id()));
    }

    @Override
    protected Look unseen(BackupScene scene, String fault) {
        return new Look.Blind(fault);
    }

    @Override
    protected BackupMove decide(BackupScene scene, Look look, Claim claim, Instant now) {
        return plan.next(scene, look, claim.tries(), now);
    }

    @Override
    protected Next next(BackupScene scene, BackupMove move, Instant now) {
        return switch (move) {
            case BackupMove.Begin(Service service, Backup backup) ->
                new Next.Do(() -> backups.begin(service, backup.id()));
            case BackupMove.Clear(Backup backup) ->
                new Next.Complete(() -> backups.drop(backup.serviceId(), backup.id()));
            case BackupMove.Prove(Backup backup) ->
                new Next.Complete(() -> backups.prove(backup.serviceId(), backup.id()));
            case BackupMove.Proven(Backup backup, BackupProof proof) -> new Next.Complete(() -> noted(backup, proof));
            case BackupMove.BackOff(Backup _, String why) -> new Next.BackOff(why);
            case BackupMove.Watch(Backup _, Instant until) -> new Next.Wait(until);
            case BackupMove.Finish _, BackupMove.Fail _, BackupMove.Schedule _, BackupMove.Retire _ ->
                new Next.Wait(now);
            case BackupMove.NotDue(Instant until) -> new Next.NapUntil(until);
            case BackupMove.Gone _ -> new Next.Gone();
        };
    }

    /** No person waits for a backup, so services and pipes come first. */
    @Override
    protected Terms terms(BackupScene scene, BackupMove move, Claim claim, Instant now) {
        return switch (move) {
            case BackupMove.Begin(Service _, Backup backup) -> underWay(backup, claim, now);
            case BackupMove.BackOff(Backup backup, String _) -> underWay(backup, claim, now);
            case BackupMove.Clear _, BackupMove.Prove _, BackupMove.Proven _ ->
                new Terms(Urgency.ROUTINE, claim.tries(), Instant.MAX);
            case BackupMove.Watch _,
                    BackupMove.Finish _,
                    BackupMove.Fail _,
                    BackupMove.Schedule _,
                    BackupMove.Retire _,
                    BackupMove.NotDue _,
                    BackupMove.Gone _ -> new Terms(Urgency.ROUTINE, 0, Instant.MAX);
        };
    }

    /** Forgotten before it is written down: what cannot be written is proven again, and nothing is taken for new twice. */
    private void noted(Backup backup, BackupProof proof) throws PlaneFault {
        backups.forgetProof(backup.serviceId(), backup.id());
        book.ended(proof.outcome());
    }

    private Terms underWay(Backup backup, Claim claim, Instant now) {
        return new Terms(Urgency.ROUTINE, plan.triesFor(backup, claim.tries(), now), plan.deadline(backup));
    }

    @Override
    protected void record(Tables tables, BackupScene scene, BackupMove move, @Nullable String fault, Instant now) {
        switch (move) {
            case BackupMove.Begin(Service _, Backup backup) -> overwrite(tables, backup, backup.troubled(fault));
            case BackupMove.BackOff(Backup backup, String why) -> overwrite(tables, backup, backup.troubled(why));
            case BackupMove.Finish(Backup backup, Archive archive) ->
                overwrite(tables, backup, backup.done(archive, now));
            case BackupMove.Fail(Backup backup, String why) -> overwrite(tables, backup, backup.failed(why, now));
            case BackupMove.Retire(Backup backup) -> overwrite(tables, backup, backup.leaving(now));
            case BackupMove.Clear(Backup backup) -> {
                if (fault == null) {
                    cleared(tables, backup);
                } else if (plan.givesUp(backup, now)) {
                    LOG.log(
                            Level.WARNING,
                            "The object {0} is left in its bucket: {1}",
                            Backup.objectName(backup.serviceId(), backup.id()),
                            fault);
                    cleared(tables, backup);
                }
            }
            case BackupMove.Schedule(Service service) -> schedule(tables, service, now);
            case BackupMove.Proven(Backup backup, BackupProof proof) -> proven(tables, backup, proof, now);
            case BackupMove.Watch _, BackupMove.Prove _, BackupMove.NotDue _, BackupMove.Gone _ -> {}
        }
    }

    /** Its row went with the last backup. */
    @Override
    protected void remove(Tables tables, BackupScene scene, Instant now) {}

    private static void proven(Tables tables, Backup backup, BackupProof proof, Instant now) {
        if (tables.of(Backup.KIND)
                .replace(backup.proven(proof), backup.version())
                .isEmpty()) {
            return;
        }
        String line = switch (proof.outcome()) {
            case RESTORABLE -> "backup_prove";
            case DAMAGED -> "backup_prove_damaged";
            case UNTRIED -> "backup_prove_untried";
        };
        ActivityLog.addBySystem(tables, backup.organizationId(), line, backup.serviceId(), backup.id(), now);
        if (proof.outcome() != BackupProof.Outcome.RESTORABLE) {
            LOG.log(
                    Level.WARNING,
                    "The backup {0} of service {1} is {2}: {3}",
                    backup.id(),
                    backup.serviceId(),
                    proof.outcome().word(),
                    proof.problem());
        }
    }

    /** Another write, such as a restore from it, voids the decision. */
    private static void overwrite(Tables tables, Backup looked, Backup next) {
        if (!next.equals(looked)) {
            tables.of(Backup.KIND).replace(next, looked.version());
        }
    }

    private static void cleared(Tables tables, Backup backup) {
        if (backup.state() == Backup.State.LEAVING) {
            tables.of(Backup.KIND).delete(backup.id(), backup.version());
            BucketsOfService.release(tables, backup);
        } else {
            overwrite(tables, backup, backup.cleared());
        }
    }

    /** A caller may have been faster: one backup at a time. */
    private static void schedule(Tables tables, Service service, Instant now) {
        if (!BackupsOfService.isUnderWay(tables, service.id())) {
            BackupsOfService.begin(tables, service, Backup.Trigger.SCHEDULE, now);
        }
    }
}
