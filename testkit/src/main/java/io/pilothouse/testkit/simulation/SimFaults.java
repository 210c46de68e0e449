package io.pilothouse.testkit.simulation;

import java.time.Duration;
import java.time.Instant;

/**
 * What goes wrong, and how often: each seed draws its own weather, from calm to awful, and faults of some sorts come in
 * spells. Once they stop nothing goes wrong any more.
 */
final class SimFaults {
    private static final Duration SHORT_DELAY = Duration.ofSeconds(5);
    private static final Duration LONG_DELAY = Duration.ofSeconds(50);
    private static final double LONG_ONES = 0.02;

    private final SimWorld world;
    private final double dies;
    private final double lost;
    private final double delayed;
    private final double wakes;
    private Instant diskFullUntil = Instant.MIN;
    private Instant planeAwayUntil = Instant.MIN;
    private Instant receiverAwayUntil = Instant.MIN;
    private boolean over;

    /** What becomes of a call. */
    enum Fate {
        WELL,
        LOST_BEFORE,
        LOST_AFTER,
        DIES_BEFORE,
        DIES_AFTER
    }

    SimFaults(SimWorld world) {
        this.world = world;
        this.dies = drawn(0.003);
        this.lost = drawn(0.08);
        this.delayed = drawn(0.15);
        this.wakes = drawn(0.2);
    }

    /** None in one seed of four. */
    private double drawn(double most) {
        return world.likely(0.25) ? 0 : world.chance().nextDouble() * most;
    }

    void stop() {
        over = true;
    }

    boolean over() {
        return over;
    }

    Fate fate() {
        if (over) {
            return Fate.WELL;
        }
        double roll = world.chance().nextDouble();
        if (roll < dies) {
            return world.likely(0.5) ? Fate.DIES_BEFORE : Fate.DIES_AFTER;
        }
        if (roll < dies + lost) {
            return world.likely(0.5) ? Fate.LOST_BEFORE : Fate.LOST_AFTER;
        }
        return Fate.WELL;
    }

    /** How long a call takes on its way there or back; mostly nothing. */
    Duration delay() {
        if (over || !world.likely(delayed)) {
            return Duration.ZERO;
        }
        return world.upTo(world.likely(LONG_ONES) ? LONG_DELAY : SHORT_DELAY);
    }

    /** How often a wake arrives: none, one, or two of them. */
    int wakes() {
        if (over || !world.likely(wakes)) {
            return 1;
        }
        return world.likely(0.5) ? 0 : 2;
    }

    void fillDisk(Duration time) {
        diskFullUntil = world.now().plus(time);
    }

    boolean diskFull() {
        return !over && world.now().isBefore(diskFullUntil);
    }

    void loseThePlane(Duration time) {
        planeAwayUntil = world.now().plus(time);
    }

    boolean planeAway() {
        return !over && world.now().isBefore(planeAwayUntil);
    }

    void loseTheReceiver(Duration time) {
        receiverAwayUntil = world.now().plus(time);
    }

    boolean receiverAway() {
        return !over && world.now().isBefore(receiverAwayUntil);
    }
}
