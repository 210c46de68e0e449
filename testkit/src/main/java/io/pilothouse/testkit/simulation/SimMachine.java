package io.pilothouse.testkit.simulation;

import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.StoreUnavailable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A machine: a clock that is wrong, ticks that are a little fast or slow, and a way to the store that may be cut. What
 * runs on it may be stopped for a while, by itself or because the whole machine sleeps.
 */
final class SimMachine implements Clock {
    /** The share by which its ticks are wrong at most: a second in an hour. */
    private static final double MAX_DRIFT = 0.0003;

    private static final Duration MAX_TRIP = Duration.ofSeconds(2);

    private final SimWorld world;
    private final SimFaults faults;
    private final double drift;
    private Duration ahead = Duration.ZERO;
    private Duration slept = Duration.ZERO;
    private @Nullable Instant stoppedUntil;
    private @Nullable Instant cutUntil;

    SimMachine(SimWorld world, SimFaults faults) {
        this.world = world;
        this.faults = faults;
        this.drift = MAX_DRIFT * (2 * world.chance().nextDouble() - 1);
    }

    /** What its clock shows, which need not be the time of the world. */
    @Override
    public Instant now() {
        return world.now().plus(ahead);
    }

    void jump(Duration by) {
        ahead = ahead.plus(by);
    }

    Duration ahead() {
        return ahead;
    }

    /** The nanoseconds that it has counted, whatever its clock was set to. */
    long ticks() {
        long nanos =
                Duration.between(SimWorld.BEGINNING, world.now()).minus(slept).toNanos();
        return nanos + Math.round(nanos * drift);
    }

    /** What runs on it stands still; a machine that is {@code asleep} counts no ticks meanwhile. */
    void stop(Duration time, boolean asleep) {
        if (stopped().isZero()) {
            stoppedUntil = world.now().plus(time);
            slept = asleep ? slept.plus(time) : slept;
        }
    }

    /** How long it still stands still. */
    Duration stopped() {
        Instant until = stoppedUntil;
        if (until == null) {
            return Duration.ZERO;
        }
        Duration left = Duration.between(world.now(), until);
        if (left.isPositive()) {
            return left;
        }
        stoppedUntil = null;
        return Duration.ZERO;
    }

    /** What stood still is dead, and something else is to run. */
    void goOn() {
        stoppedUntil = null;
    }

    void cut(Duration time) {
        cutUntil = world.now().plus(time);
    }

    boolean isCut() {
        Instant until = cutUntil;
        return until != null && !faults.over() && world.now().isBefore(until);
    }

    /**
     * The time of the store, as it was asked for at the moment it is needed: what a process that asks every few seconds
     * has by then.
     */
    SimClocks.Reading ask() {
        if (isCut()) {
            throw new StoreUnavailable("The time cannot be asked for", new IOException("cut"));
        }
        Duration trip = world.upTo(MAX_TRIP);
        double error = world.chance().nextDouble() - 0.5;
        return new SimClocks.Reading(world.now().plusNanos(Math.round(trip.toNanos() * error)), ticks(), trip);
    }
}
