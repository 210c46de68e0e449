package io.pilothouse.gateway.door;

import io.pilothouse.core.base.Rounds;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import io.pilothouse.gateway.GatewayLog;
import io.pilothouse.gateway.GatewayTraffic;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Puts unused services to sleep: those with no connection and no query for the time in their own setting. It considers
 * only services with a door here, and reads only memory.
 */
public final class IdleWatch implements AutoCloseable {
    private final Doors doors;
    private final DoorDatabases databases;
    private final Clock clock;
    private final Map<UUID, Instant> usedUntil = new ConcurrentHashMap<>();
    private final Rounds rounds = new Rounds();

    public IdleWatch(Doors doors, DoorDatabases databases, Clock clock) {
        this.doors = doors;
        this.databases = databases;
        this.clock = clock;
    }

    /** Checks this often, on a thread of the executor, until it is closed. */
    public void start(Executor threads, Duration period) {
        threads.execute(() -> rounds.run(period, this::look));
    }

    /** Checks every door once. */
    void look() {
        for (Door door : doors.all()) {
            try {
                look(door);
            } catch (RuntimeException unexpected) {
                GatewayLog.warn(
                        "service " + door.service().id() + " could not be asked whether it is used", unexpected);
            }
        }
        usedUntil.keySet().removeIf(id -> doors.traffic(id).isEmpty());
    }

    private void look(Door door) {
        Service service = door.service();
        UUID id = service.id();
        Instant now = clock.now();
        boolean mayRest = service.wish() == Wish.RUN && service.scalingNow().idleScaling() && door.runs();
        Optional<GatewayTraffic> traffic = doors.traffic(id);
        if (!mayRest || traffic.isEmpty() || isBusy(traffic.get()) || databases.isBusy(id)) {
            // Its idle time begins when it last did anything, even if that was only starting.
            usedUntil.put(id, now);
            return;
        }
        Instant used = usedUntil.merge(id, traffic.get().lastActivity(), IdleWatch::later);
        if (Duration.between(used, now).compareTo(service.scalingNow().idleTimeout()) >= 0) {
            door.sleepUnless(() -> doors.traffic(id).map(IdleWatch::isBusy).orElse(false));
        }
    }

    private static boolean isBusy(GatewayTraffic traffic) {
        return traffic.openConnections() > 0 || traffic.queriesInFlight() > 0;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    @Override
    public void close() {
        rounds.close();
    }
}
