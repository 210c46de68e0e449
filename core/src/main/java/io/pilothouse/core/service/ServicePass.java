package io.pilothouse.core.service;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.engine.Comeback.Terms;
import io.pilothouse.core.engine.Move;
import io.pilothouse.core.engine.Next;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.PlannedPass;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Urgency;
import io.pilothouse.core.service.DataPlane.Sight;
import io.pilothouse.core.service.ServicePlan.Step;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Brings one service one step nearer to what is wanted, and notifies its followers when it comes to run and when it
 * is gone.
 */
public final class ServicePass extends PlannedPass<Service, Sight, Step> {
    private final DataPlane plane;
    private final ServicePlan plan;
    private final ServiceFollower followers;
    private final Watch watch;

    public ServicePass(Ground ground, DataPlane plane, ServicePlan plan, ServiceFollower followers) {
        this(ground, plane, plan, followers, Watch.NONE);
    }

    public ServicePass(Ground ground, DataPlane plane, ServicePlan plan, ServiceFollower followers, Watch watch) {
        super(ground);
        this.plane = plane;
        this.plan = plan;
        this.followers = followers;
        this.watch = watch;
    }

    /** With the patience and the pace that people are used to. */
    public static ServicePass usual(Ground ground, DataPlane plane, ServiceFollower followers, Watch watch) {
        return new ServicePass(ground, plane, new ServicePlan(Patience.USUAL, Pace.USUAL), followers, watch);
    }

    /** Watches what passes see and do, outside of every transaction; it must be quick and must not fail. */
    public interface Watch {
        Watch NONE = new Watch() {};

        /** The move is about to be made. */
        default void acting(Service service, Step step, Instant now) {}

        /** The move was made; {@code fault} is why the plane did not do it, or why it could not be looked at. */
        default void passed(Service service, Sight sight, Step step, @Nullable String fault, Instant now) {}
    }

    @Override
    protected Optional<Service> find(Tables tables, UUID id) {
        return tables.of(Service.KIND).find(id);
    }

    @Override
    protected Sight look(Service service) throws PlaneFault {
        return plane.observe(service);
    }

    @Override
    protected Sight unseen(Service service, String fault) {
        return new Sight(Condition.UNKNOWN, false, null, fault);
    }

    @Override
    protected Step decide(Service service, Sight sight, Claim claim, Instant now) {
        return plan.next(service, sight, claim, now);
    }

    @Override
    protected Next next(Service service, Step step, Instant now) {
        return switch (step.move()) {
            case Move.Start _ -> new Next.Do(() -> plane.start(service));
            case Move.Stop _ -> new Next.Do(() -> plane.stop(service));
            case Move.Erase _ -> new Next.Do(() -> plane.erase(service));
            case Move.BackOff(String why) -> new Next.BackOff(why);
            case Move.Wait(Instant until) -> new Next.Wait(until);
            case Move.Settled _ -> new Next.Nap(step.seen().since());
            case Move.Gone _ -> new Next.Gone();
        };
    }

    @Override
    protected void acting(Service service, Step step, Instant now) {
        watch.acting(service, step, now);
    }

    @Override
    protected void acted(Service service, Sight sight, Step step, @Nullable String fault, Instant now) {
        watch.passed(service, sight, step, fault, now);
    }

    @Override
    protected Terms terms(Service service, Step step, Claim claim, Instant now) {
        Urgency urgency = service.seen().everRan() ? Urgency.CHANGED : Urgency.NEW;
        return new Terms(urgency, step.tries(), step.deadline());
    }

    @Override
    protected void remove(Tables tables, Service looked, Instant now) {
        tables.of(Service.KIND).find(looked.id()).ifPresent(service -> {
            followers.removed(tables, service, now);
            if (service.access().ports() != null) {
                tables.ports().release(service.id(), service.access().ports().all(), now);
            }
            tables.of(Service.KIND).delete(service.id(), service.version());
        });
    }

    @Override
    protected void record(Tables tables, Service looked, Step step, @Nullable String fault, Instant now) {
        Seen seen = fault == null ? step.seen() : plan.afterFault(step, looked, fault, now);
        if (step.storedBytes() != null) {
            followers.stored(tables, looked, step.storedBytes(), now);
        }
        // Most often the row is still the one that was looked at, which need not be read again then.
        boolean runs = step.move() instanceof Move.Settled && looked.wishNow() == Wish.RUN;
        if (!apply(tables, looked, looked, seen, runs, now)) {
            // What was seen where it was says nothing of the host that it has gone to since.
            tables.of(Service.KIND)
                    .find(looked.id())
                    .filter(looked::isWhereItWas)
                    .ifPresent(row -> {
                        if (!apply(tables, row, looked, seen, runs, now)) {
                            throw new IllegalStateException("A row changed under a transaction: " + row.id());
                        }
                    });
        }
    }

    /** False if the row is not as it was any more, so that nothing was written. */
    private boolean apply(Tables tables, Service row, Service looked, Seen seen, boolean runs, Instant now) {
        // A complaint about a wish that has changed since says nothing about the new one.
        boolean sameWish = row.want().since().equals(looked.want().since());
        Service next = (runs ? row.settledAs(looked) : row).withSeen(sameWish ? seen : seen.withTrouble(null));
        if (next.seen().equals(row.seen()) && next.want().equals(row.want())) {
            return true;
        }
        Optional<Service> written = tables.of(Service.KIND).replace(next, row.version());
        written.ifPresent(kept -> {
            followers.changed(tables, row, kept, now);
            notifyFollowers(tables, row, kept, now);
        });
        return written.isPresent();
    }

    private void notifyFollowers(Tables tables, Service row, Service kept, Instant now) {
        if (kept.state() == ServiceState.RUNNING && row.state() != ServiceState.RUNNING) {
            followers.running(tables, kept, now);
        }
        boolean beganToRun =
                kept.seen().condition() == Condition.RUNNING && row.seen().condition() != Condition.RUNNING;
        if (kept.departure() != null && beganToRun) {
            // Clients do not see it run, and the backup that it goes with waits for just that.
            tables.tasks().wake(Tasks.Kind.BACKUP, row.id(), Urgency.ROUTINE, now);
        }
        if (row.isArriving() && !kept.isArriving()) {
            // It may have run for its data alone.
            tables.tasks().wake(Tasks.Kind.SERVICE, row.id(), Urgency.CHANGED, now);
        }
        if (!kept.want().equals(row.want())) {
            ActivityLog.addBySystem(tables, row.organizationId(), "service_maintenance_end", row.id(), null, now);
        }
        String type = activity(row.state(), kept.state());
        if (type != null) {
            ActivityLog.addBySystem(tables, row.organizationId(), type, row.id(), null, now);
        }
    }

    private static @Nullable String activity(ServiceState before, ServiceState after) {
        if (before == after) {
            return null;
        }
        return switch (after) {
            case RUNNING -> "service_running";
            case IDLE -> "service_idle";
            case PROVISIONING, STARTING, AWAKING, STOPPING, STOPPED, DEGRADED, FAILED, TERMINATING -> null;
        };
    }
}
