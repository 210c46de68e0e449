package io.pilothouse.plane.local;

import io.pilothouse.core.service.Access;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceState;
import io.pilothouse.core.service.Wish;
import io.pilothouse.gateway.GatewayBackend;
import io.pilothouse.gateway.GatewayLog;
import io.pilothouse.gateway.GatewayProtocol;
import io.pilothouse.gateway.GatewayReach;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One service as the gateway reaches it. It remembers the wish of the newest row it has seen, so that work on an older
 * row neither opens a door nor stops a service that a client has just woken.
 */
public final class Door implements GatewayBackend {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);
    private static final Duration BROKEN_FOR_GOOD = Duration.ofSeconds(5);
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    private final UUID id;
    private final LocalDatabases databases;
    private final SleepRequests rest;
    private final Predicate<Service> complete;
    private volatile Service service;
    private volatile boolean resting;
    private volatile @Nullable Access served;

    /** {@code complete} says whether the service already holds the data it was created with. */
    Door(Service service, LocalDatabases databases, SleepRequests rest, Predicate<Service> complete) {
        this.id = service.id();
        this.service = service;
        this.databases = databases;
        this.rest = rest;
        this.complete = complete;
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
        return databases.address(id).isPresent();
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
        if (databases.bundled() && protocol != GatewayProtocol.HTTPS) {
            return unsupported(protocol);
        }
        return switch (service.wish()) {
            case STOP -> new GatewayReach.Unavailable("The service is stopped.");
            case DELETE -> new GatewayReach.Unavailable("The service is being deleted.");
            case SLEEP -> new GatewayReach.Asleep();
            case RUN ->
                resting || !complete.test(service)
                        ? new GatewayReach.Asleep()
                        : databases
                                .address(id)
                                .map(address -> at(protocol, address))
                                .orElseGet(GatewayReach.Asleep::new);
        };
    }

    @Override
    public GatewayReach awaken(GatewayProtocol protocol, Duration atMost) throws InterruptedException {
        Optional<Service> row = rest.wake(id);
        if (row.isEmpty()) {
            return new GatewayReach.Unavailable("The service is being deleted.");
        }
        learn(row.get());
        long begun = System.nanoTime();
        long brokenSince = 0;
        while (service.wish() == Wish.RUN) {
            DatabaseSeen sighting = look();
            if (sighting instanceof DatabaseSeen.Running(DatabaseAddress address, String _) && complete.test(service)) {
                return at(protocol, address);
            }
            long now = System.nanoTime();
            boolean broken = sighting instanceof DatabaseSeen.Broken || service.state() == ServiceState.FAILED;
            brokenSince = broken ? (brokenSince == 0 ? now : brokenSince) : 0;
            if (brokenSince != 0 && now - brokenSince > BROKEN_FOR_GOOD.toNanos()) {
                return new GatewayReach.Unavailable("The database cannot be started; its service's state says more.");
            }
            if (now - begun > atMost.toNanos()) {
                return new GatewayReach.Asleep();
            }
            TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
        }
        return reach(protocol);
    }

    private DatabaseSeen look() {
        try {
            return databases.observe(id);
        } catch (DatabaseFailure fault) {
            GatewayLog.debug("a service that is waited for could not be looked at", fault);
            return new DatabaseSeen.Starting();
        }
    }

    private static GatewayReach at(GatewayProtocol protocol, DatabaseAddress address) {
        OptionalInt port = switch (protocol) {
            case HTTPS -> OptionalInt.of(address.http());
            case NATIVESECURE -> address.nativeProtocol();
            case MYSQL -> address.mysql();
        };
        return port.isPresent()
                ? new GatewayReach.Ready(new InetSocketAddress(LOOPBACK, port.getAsInt()))
                : unsupported(protocol);
    }

    private static GatewayReach unsupported(GatewayProtocol protocol) {
        return new GatewayReach.Unsupported(
                "This service's ClickHouse does not speak " + protocol.wireName() + "; use its https endpoint.");
    }
}
