package io.pilothouse.server.store;

import io.pilothouse.core.base.Rounds;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.store.PostgresStore.ServerTime;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The time of the server that has the store, so that all processes on it agree when a lease ends, whatever the clocks
 * of their machines show. Between two looks at the server it goes on by itself. Safe for many threads.
 */
public final class StoreClock implements Clock, AutoCloseable {
    private static final Logger LOG = System.getLogger(StoreClock.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final Duration MAX_SKEW = Duration.ofSeconds(1);

    /** An answer that took longer says too little about its moment. */
    private static final Duration MAX_TRIP = Duration.ofSeconds(1);

    private static final int FIRST_TRIES = 5;

    private final Clock machine;
    private final LongSupplier ticks;
    private final Supplier<ServerTime> server;
    private final Rounds rounds = new Rounds();
    private volatile ServerTime anchor;
    private boolean skewed;

    /** {@code ticks} are the nanoseconds that the server's answers are measured with. */
    public StoreClock(Clock machine, LongSupplier ticks, Supplier<ServerTime> server) {
        this.machine = machine;
        this.ticks = ticks;
        this.server = server;
        this.anchor = first();
        compare();
    }

    /** There is nothing older to believe instead of an answer that took long, so a few are compared. */
    private ServerTime first() {
        ServerTime best = server.get();
        for (int tried = 1; tried < FIRST_TRIES && best.trip().compareTo(MAX_TRIP) >= 0; tried++) {
            ServerTime read = server.get();
            best = read.trip().compareTo(best.trip()) < 0 ? read : best;
        }
        return best;
    }

    /** Looks at the server every few seconds from now on. */
    public void start() {
        Thread.ofPlatform().daemon().name("store-clock").start(() -> rounds.run(PAUSE, this::follow));
    }

    /** Looks at the server; one that cannot be asked leaves the time as it goes. */
    public synchronized void follow() {
        try {
            ServerTime read = server.get();
            if (read.trip().compareTo(MAX_TRIP) < 0) {
                anchor = read;
            }
            compare();
        } catch (StoreUnavailable unavailable) {
            // The engine logs an outage of the store.
            LOG.log(Level.DEBUG, "The server's time is not known", unavailable);
        } catch (RuntimeException unexpected) {
            // Its thread goes on: nothing else would follow the server from then on.
            LOG.log(Level.WARNING, "The server's time could not be asked for", unexpected);
        }
    }

    private synchronized void compare() {
        Duration behind = behind();
        boolean off = behind.abs().compareTo(MAX_SKEW) > 0;
        if (off && !skewed) {
            LOG.log(
                    Level.WARNING,
                    "The clock of this machine is {0} {1} that of the database, which is the one that counts",
                    behind.abs(),
                    behind.isNegative() ? "behind" : "ahead of");
        } else if (skewed && !off) {
            LOG.log(Level.INFO, "The clock of this machine and that of the database agree again");
        }
        skewed = off;
    }

    @Override
    public Instant now() {
        ServerTime known = anchor;
        return known.time().plusNanos(ticks.getAsLong() - known.tick());
    }

    @Override
    public Duration behind() {
        return Duration.between(now(), machine.now());
    }

    @Override
    public void close() {
        rounds.close();
    }
}
