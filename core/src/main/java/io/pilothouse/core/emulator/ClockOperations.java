package io.pilothouse.core.emulator;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The operations on the time that everything goes by. */
public final class ClockOperations {
    /** A watch that is faster leaves the engine no time for what comes due. */
    public static final double MAX_RATE = 1_000;

    private static final double MAX_SECONDS = Duration.ofDays(36_500).toSeconds();
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final MovableClock clock;
    private final Follower follower;

    /** Hears of moves of time, outside of any transaction. */
    public interface Follower {
        /** Before the move: puts what was gathered where it belongs by the time that still is. */
        void before();

        /** After it: has what came due begun at once. */
        void after();

        /** Waits until nothing is left to do, this long at most; says whether that came. */
        boolean settled(Duration patience);
    }

    /** What is wanted of the clock; null leaves it as it is. */
    public record Change(
            @Nullable Instant now,
            @Nullable Double forwardSeconds,
            @Nullable Double rate,
            Duration patience) {
        private boolean moves() {
            return now != null || forwardSeconds != null;
        }
    }

    /** How the clock goes; {@code settled} if nothing was left to do when it was asked. */
    public record Shown(ClockState state, boolean settled) {}

    public ClockOperations(MovableClock clock, Follower follower) {
        this.clock = clock;
        this.follower = follower;
    }

    public Shown get() {
        return new Shown(clock.state(), follower.settled(Duration.ZERO));
    }

    public Shown change(Change change, Faults faults) {
        check(change, faults);
        faults.refuseIfAny();
        // What is due by the time that still is happens before the move, and not by the time that comes.
        if (!follower.settled(change.patience()) && change.moves()) {
            throw new Refused(
                    Refused.Reason.UNAVAILABLE,
                    "What is due already has not been done within "
                            + change.patience().toMillis()
                            + " ms, so time was not moved: try again, give more settleSeconds, or stop the clock first");
        }
        follower.before();
        Double seconds = change.forwardSeconds();
        Duration by = seconds == null ? Duration.ZERO : duration(seconds);
        ClockState moved = clock.move(change.now(), by, change.rate())
                .orElseThrow(() -> new Refused(
                        Refused.Reason.CONFLICT,
                        "It is " + clock.now() + ": time goes forward only, to " + ClockState.LATEST + " at most"));
        follower.after();
        return new Shown(moved, follower.settled(change.patience()));
    }

    private static void check(Change change, Faults faults) {
        Double seconds = change.forwardSeconds();
        if (seconds != null && (seconds < 0 || seconds > MAX_SECONDS)) {
            faults.add("forwardSeconds", "must be from 0 to " + (long) MAX_SECONDS);
        }
        if (seconds != null && change.now() != null) {
            faults.add("forwardSeconds", "cannot be given beside now");
        }
        Double rate = change.rate();
        if (rate != null && (rate < 0 || rate > MAX_RATE)) {
            faults.add("rate", "must be from 0 to " + (long) MAX_RATE);
        }
    }

    private static Duration duration(double seconds) {
        long whole = (long) seconds;
        return Duration.ofSeconds(whole, (long) ((seconds - whole) * NANOS));
    }
}
