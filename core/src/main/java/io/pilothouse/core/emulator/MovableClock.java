package io.pilothouse.core.emulator;

import io.pilothouse.core.port.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A time that can be stopped, moved forward and let run faster. It never goes backwards: a change that would take it
 * back is not made, and what is kept of it takes it on where it would be after a restart. Safe for many threads.
 */
public final class MovableClock implements Clock {
    /** How long it is until a moment of a time that stands still. */
    private static final Duration NEVER = Duration.ofDays(365);

    private static final double MILLIS = 1e3;
    private static final double NANOS = 1e9;

    private final Clock machine;
    private final Consumer<ClockState> keep;
    private ClockState state;
    private Instant latest;

    /** {@code keep} writes a state down before anybody goes by it; what it throws leaves the time as it was. */
    public MovableClock(Clock machine, ClockState state, Consumer<ClockState> keep) {
        this.machine = machine;
        this.keep = keep;
        this.state = state;
        this.latest = state.shown();
    }

    @Override
    public synchronized Instant now() {
        Instant now = state.at(machine.now());
        if (now.isBefore(latest)) {
            // The machine was set back: this goes on from where it is.
            state = new ClockState(machine.now(), latest, state.rate());
            return latest;
        }
        latest = now;
        return now;
    }

    @Override
    public synchronized Duration until(Instant moment) {
        Duration left = Duration.between(now(), moment);
        if (left.isNegative() || left.isZero()) {
            return left;
        }
        if (state.rate() == 0) {
            return NEVER;
        }
        double seconds = left.toMillis() / state.rate() / MILLIS;
        return seconds < NEVER.toSeconds() ? Duration.ofNanos((long) (seconds * NANOS) + 1) : NEVER;
    }

    @Override
    public synchronized Instant after(Duration watch) {
        double faster = Math.max(1, state.rate());
        return now().plusNanos((long) (watch.toNanos() * faster));
    }

    @Override
    public Clock machine() {
        return machine;
    }

    /** How it goes now. */
    public synchronized ClockState state() {
        Instant now = now();
        return new ClockState(machine.now(), now, state.rate());
    }

    /**
     * Lets it go on from {@code to}, or without it from as much later as {@code by}, at this rate or as fast as before.
     * Empty, with nothing changed, where that would be in the past or after {@link ClockState#LATEST}.
     */
    public synchronized Optional<ClockState> move(@Nullable Instant to, Duration by, @Nullable Double rate) {
        Instant before = now();
        Instant target = to == null ? before.plus(by) : to;
        if (target.isBefore(before) || target.isAfter(ClockState.LATEST)) {
            return Optional.empty();
        }
        ClockState next = new ClockState(machine.now(), target, rate == null ? state.rate() : rate);
        keep.accept(next);
        state = next;
        latest = target;
        return Optional.of(next);
    }
}
