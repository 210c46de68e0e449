package io.pilothouse.core.service;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.engine.Move;
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
import io.pilothouse.core.service.DataPlane.Sight;
import io.pilothouse.core.service.ServicePlan.Step;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings one service one step nearer to what is wanted: look, decide, do one thing outside any transaction, record what
 * was seen. It never writes the wish, and once its lease is lost it writes nothing.
 */
public final class ServicePass implements Pass {
    private static final Logger LOG = System.getLogger(ServicePass.class.getName());

    private final Store store;
    private final DataPlane plane;
    private final Clock clock;
    private final ServicePlan plan;
    private final Pace pace;
    private final DoubleSupplier jitter;
    private final ServiceFollower followers;

    /** {@code jitter} gives numbers from 0 (inclusive) to 1 (exclusive). */
    public ServicePass(
            Store store,
            DataPlane plane,
            Clock clock,
            ServicePlan plan,
            Pace pace,
            DoubleSupplier jitter,
            ServiceFollower followers) {
        this.store = store;
        this.plane = plane;
        this.clock = clock;
        this.plan = plan;
        this.pace = pace;
        this.jitter = jitter;
        this.followers = followers;
    }

    @Override
    public void run(Claim claim) {
        Optional<Service> found = store.read(tables -> tables.of(Service.KIND).find(claim.subjectId()));
        if (found.isEmpty()) {
            store.write(tables -> tables.tasks().finish(claim));
            return;
        }
        Service service = found.get();
        Step step = plan.next(service, look(service), claim, clock.now());
        String fault = act(step.move(), service);
        if (fault != null) {
            logSparingly(service, step.tries() + 1, fault);
        }
        boolean mine = step.move() instanceof Move.Gone ? remove(claim) : record(claim, service, step, fault);
        if (!mine) {
            LOG.log(Level.INFO, "Service {0}: another pass took over, nothing was recorded", service.id());
        }
    }

    private Sight look(Service service) {
        try {
            return plane.observe(service);
        } catch (PlaneFault e) {
            return new Sight(Condition.UNKNOWN, false, null, e.getMessage());
        } catch (RuntimeException e) {
            return new Sight(Condition.UNKNOWN, false, null, unexpected(service, e));
        }
    }

    /** Does the one thing and returns why it did not work, or null. */
    private @Nullable String act(Move move, Service service) {
        try {
            switch (move) {
                case Move.Start _ -> plane.start(service);
                case Move.Stop _ -> plane.stop(service);
                case Move.Erase _ -> plane.erase(service);
                case Move.BackOff(String why) -> {
                    return why;
                }
                case Move.Wait _, Move.Settled _, Move.Gone _ -> {}
            }
            return null;
        } catch (PlaneFault e) {
            String message = e.getMessage();
            return message == null ? "The data plane gave no reason" : message;
        } catch (RuntimeException e) {
            return unexpected(service, e);
        }
    }

    private static String unexpected(Service service, RuntimeException bug) {
        LOG.log(Level.ERROR, "Service " + service.id() + ": the data plane failed in a way it does not declare", bug);
        return "The data plane failed unexpectedly; the log has the details";
    }

    private boolean remove(Claim claim) {
        return store.write(tables -> {
            if (!tables.tasks().finish(claim)) {
                return false;
            }
            tables.of(Service.KIND).find(claim.subjectId()).ifPresent(row -> remove(tables, row));
            return true;
        });
    }

    private void remove(Tables tables, Service service) {
        followers.removed(tables, service, clock.now());
        for (String endpointId : service.access().privateEndpointIds()) {
            PrivateEndpointUses.remove(tables, service, endpointId);
        }
        tables.of(Service.KIND).delete(service.id(), service.version());
    }

    private boolean record(Claim claim, Service looked, Step step, @Nullable String fault) {
        Instant now = clock.now();
        Seen seen = fault == null ? step.seen() : plan.afterFault(step, looked, fault, now);
        Release release = release(looked, step, fault != null, now);
        return store.write(tables -> {
            // First the fence: under an old token nothing below may happen.
            if (!tables.tasks().release(claim, release, now)) {
                return false;
            }
            // Most often the row is still the one that was looked at, which need not be read again then.
            if (!apply(tables, looked, looked, seen, now)) {
                tables.of(Service.KIND).find(looked.id()).ifPresent(row -> {
                    if (!apply(tables, row, looked, seen, now)) {
                        throw new IllegalStateException("A row changed under a transaction: " + row.id());
                    }
                });
            }
            return true;
        });
    }

    /** False if the row is not as it was any more, so that nothing was written. */
    private boolean apply(Tables tables, Service row, Service looked, Seen seen, Instant now) {
        // A complaint about a wish that has changed since says nothing about the new one.
        boolean sameWish = row.wishedAt().equals(looked.wishedAt());
        Service next = row.withSeen(sameWish ? seen : seen.withTrouble(null));
        if (next.seen().equals(row.seen())) {
            return true;
        }
        Optional<Service> written = tables.of(Service.KIND).replace(next, row.version());
        written.ifPresent(kept -> tell(tables, row, kept, now));
        return written.isPresent();
    }

    private void tell(Tables tables, Service row, Service kept, Instant now) {
        if (kept.state() == ServiceState.RUNNING && row.state() != ServiceState.RUNNING) {
            followers.running(tables, kept, now);
        }
        String type = activity(row.state(), kept.state());
        if (type != null) {
            tables.of(Activity.KIND)
                    .insert(new Activity(
                            RowIds.at(now),
                            row.organizationId(),
                            now,
                            type,
                            "system",
                            null,
                            null,
                            null,
                            row.id(),
                            null));
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

    private Release release(Service service, Step step, boolean failed, Instant now) {
        int tries = step.tries();
        Urgency urgency = urgency(service, failed ? tries + 1 : tries);
        return switch (step.move()) {
            case Move.Settled _ -> {
                Duration nap = pace.nap(step.seen().since(), now, jitter.getAsDouble());
                yield new Release(now.plus(nap), Urgency.ROUTINE, 0, true);
            }
            case Move.Wait(Instant until) -> unsettled(until, urgency, tries, step, now);
            case Move.Start _, Move.Stop _, Move.Erase _, Move.BackOff _, Move.Gone _ -> {
                // The first thing done is looked after soon; doing it again and again takes ever longer.
                Duration pause = failed || tries > 0 ? pace.backOff(tries, jitter.getAsDouble()) : pace.firstLook();
                yield unsettled(now.plus(pause), urgency, tries + 1, step, now);
            }
        };
    }

    /** Comes back no later than the deadline, so that a delay is shown when it is due. */
    private static Release unsettled(Instant next, Urgency urgency, int tries, Step step, Instant now) {
        boolean pastIt = step.deadline().isAfter(now) && next.isAfter(step.deadline());
        return new Release(pastIt ? step.deadline() : next, urgency, tries, false);
    }

    /** What fails does not stand in the way of what does not. */
    private static Urgency urgency(Service service, int tries) {
        if (tries > 1) {
            return Urgency.ROUTINE;
        }
        return service.seen().everRan() ? Urgency.CHANGED : Urgency.NEW;
    }

    /** The first failure in a row and then each time their number has doubled: an outage must not flood the log. */
    private static void logSparingly(Service service, int tries, String fault) {
        if (Integer.bitCount(tries) == 1) {
            LOG.log(Level.WARNING, "{0} {1}: {2} (try {3})", Kind.SERVICE, service.id(), fault, tries);
        }
    }
}
