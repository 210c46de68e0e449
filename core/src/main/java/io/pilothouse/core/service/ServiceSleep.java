package io.pilothouse.core.service;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.TakenMeanwhile;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Wake;
import java.util.Optional;
import java.util.UUID;

/**
 * Sleep and waking by use rather than by request: only a service that runs and may idle is put to sleep, and only one
 * that sleeps is woken, so that use never overrules what a person asked for.
 */
public final class ServiceSleep {
    private final Store store;
    private final Clock clock;
    private final ServiceFollower followers;
    private final Wake wake;

    public ServiceSleep(Store store, Clock clock, ServiceFollower followers, Wake wake) {
        this.store = store;
        this.clock = clock;
        this.followers = followers;
        this.wake = wake;
    }

    /** Wants it asleep; empty when it may not sleep, does not run, or is being backed up. */
    public Optional<Service> sleep(UUID serviceId) {
        return store.write(tables -> tables.of(Service.KIND)
                .find(serviceId)
                .filter(row ->
                        row.state() == ServiceState.RUNNING && row.scalingNow().idleScaling())
                .filter(row -> !followers.keepsAwake(tables, row))
                .map(row -> change(tables, row, Wish.SLEEP)));
    }

    /**
     * Wants it to run if it only sleeps, and gives the row as it is then. One that is thought to run is looked at,
     * because the caller found that it does not; one on its way keeps its own pace.
     */
    public Optional<Service> wake(UUID serviceId) {
        return wake(serviceId, serviceId);
    }

    /** The same, for something that has use for it; its activity names that as what was acted for. */
    public Optional<Service> wake(UUID serviceId, UUID cause) {
        return store.write(tables -> tables.of(Service.KIND).find(serviceId).map(row -> {
            if (row.wish() == Wish.SLEEP) {
                String type = ServiceCommand.AWAKE.activityType();
                ActivityLog.addBySystem(tables, row.organizationId(), type, serviceId, cause, clock.now());
                return change(tables, row, Wish.RUN);
            }
            if (row.wish() == Wish.RUN && row.seen().condition() == Condition.RUNNING) {
                due(tables, serviceId);
            }
            return row;
        }));
    }

    /**
     * Gives these ports to a service that has none, and gives the row as it is then; empty when there is none.
     *
     * @throws TakenMeanwhile if another has one of them
     */
    public Optional<Service> reserve(UUID serviceId, ServicePorts ports) {
        return store.write(tables -> tables.of(Service.KIND).find(serviceId).map(row -> {
            if (row.access().ports() != null) {
                return row;
            }
            tables.ports().reserve(serviceId, ports.all());
            return tables.of(Service.KIND).overwrite(row.withAccess(row.access().withPorts(ports)));
        }));
    }

    /** Has it looked at now. */
    public void look(UUID serviceId) {
        store.change(tables -> {
            if (tables.of(Service.KIND).find(serviceId).isPresent()) {
                due(tables, serviceId);
            }
        });
    }

    private Service change(Tables tables, Service row, Wish wish) {
        due(tables, row.id());
        return tables.of(Service.KIND).overwrite(row.withWish(wish, clock.now()));
    }

    private void due(Tables tables, UUID serviceId) {
        tables.tasks().wake(Tasks.Kind.SERVICE, serviceId, Tasks.Urgency.CHANGED, clock.now());
        tables.afterCommit(wake::nudge);
    }
}
