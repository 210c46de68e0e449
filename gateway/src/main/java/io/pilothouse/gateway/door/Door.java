package io.pilothouse.gateway.door;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Access;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceState;
import io.pilothouse.core.service.Wish;
import io.pilothouse.gateway.GatewayBackend;
import io.pilothouse.gateway.GatewayLog;
import io.pilothouse.gateway.GatewayProtocol;
import io.pilothouse.gateway.GatewayReach;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One service as the gateway reaches it. It remembers the wish of the newest row it has seen, so that work on an older
 * row neither opens a door nor stops a service that a client has just woken.
 */
final class Door implements GatewayBackend {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    private static final GatewayReach MOVES =
            new GatewayReach.Unavailable("The service is moving to another host; its endpoint there will be shown.");

    private final UUID id;
    private final DoorDatabases databases;
    private final SleepRequests rest;
    private final Duration brokenForGood;
    private volatile Service service;
    private volatile boolean resting;
    private volatile @Nullable Access served;

    /** A database that is broken for longer than {@code brokenForGood} is not waited for. */
    Door(Service service, DoorDatabases databases, SleepRequests rest, Duration brokenForGood) {
        this.id = service.id();
        this.service = service;
        this.databases = databases;
        this.rest = rest;
        this.brokenForGood = brokenForGood;
    }

    Service service() {
        return service;
    }

    /** Accepts a row unless a newer one is known; returns whether it did. */
    synchronized boolean learn(Service row) {
        if (row.version() < service.version()) {
            return false;
        }
        service = row;
        return true;
    }

    /** The settings that the gateway has, so that it is called again only when they change. */
    @Nullable
    Access served() {
        return served;
    }

    void served(Access access) {
        served = access;
    }

    /** Whether a stop that was decided from this row is still wanted: a client may have woken the service since. */
    synchronized boolean mayStop(Service row) {
        return row.version() >= service.version() || service.wish() != Wish.RUN;
    }

    boolean runs() {
        return databases.reach(service, GatewayProtocol.HTTPS) instanceof GatewayReach.Ready;
    }

    /** Puts it to sleep unless a client comes meanwhile; {@code busy} says whether one is connected. */
    void sleepUnless(BooleanSupplier busy) {
        Optional<Service> asleep = Optional.empty();
        // From here on clients wake it, so that none is lost between the question and the answer.
        resting = true;
        try {
            if (!busy.getAsBoolean()) {
                asleep = rest.sleep(id);
                asleep.ifPresent(this::learn);
            }
        } finally {
            resting = false;
        }
        if (asleep.isPresent() && busy.getAsBoolean()) {
            rest.wake(id).ifPresent(this::learn);
        }
    }

    @Override
    public GatewayReach reach(GatewayProtocol protocol) {
        GatewayReach there = databases.reach(service, protocol);
        if (there instanceof GatewayReach.Unsupported) {
            return there;
        }
        if (service.departure() != null) {
            return MOVES;
        }
        return switch (service.wish()) {
            case STOP -> new GatewayReach.Unavailable("The service is stopped.");
            case DELETE -> new GatewayReach.Unavailable("The service is being deleted.");
            case SLEEP -> new GatewayReach.Asleep();
            case RUN -> resting ? new GatewayReach.Asleep() : there;
        };
    }

    @Override
    public GatewayReach awaken(GatewayProtocol protocol, Duration atMost) throws InterruptedException {
        if (service.departure() != null) {
            return MOVES;
        }
        Optional<Service> row = rest.wake(id);
        if (row.isEmpty()) {
            return new GatewayReach.Unavailable("The service is being deleted.");
        }
        learn(row.get());
        long begun = System.nanoTime();
        long brokenSince = 0;
        while (service.wish() == Wish.RUN && service.departure() == null) {
            GatewayReach there = look(protocol);
            if (there instanceof GatewayReach.Ready || there instanceof GatewayReach.Unsupported) {
                return there;
            }
            long now = System.nanoTime();
            boolean broken = there instanceof GatewayReach.Unavailable || service.state() == ServiceState.FAILED;
            brokenSince = broken ? (brokenSince == 0 ? now : brokenSince) : 0;
            if (brokenSince != 0 && now - brokenSince > brokenForGood.toNanos()) {
                return new GatewayReach.Unavailable("The database cannot be started; its service's state says more.");
            }
            if (now - begun > atMost.toNanos()) {
                return there instanceof GatewayReach.Asleep ? there : new GatewayReach.Asleep();
            }
            TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
        }
        return reach(protocol);
    }

    private GatewayReach look(GatewayProtocol protocol) {
        try {
            return databases.look(service, protocol);
        } catch (PlaneFault fault) {
            GatewayLog.debug("a service that is waited for could not be looked at", fault);
            return new GatewayReach.Asleep();
        }
    }
}
