package io.pilothouse.testkit;

import io.pilothouse.core.engine.Comeback;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.PlannedPass.Ground;
import io.pilothouse.core.engine.TimeLimit;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import java.time.Duration;

/** The ground of passes in tests: no luck, and calls to the outside run on the thread of the pass. */
public final class PassGround {
    private PassGround() {}

    public static Ground of(Store store, Clock clock, Pace pace) {
        return of(store, clock, pace, new TimeLimit(Runnable::run, Duration.ofMinutes(1), Duration.ofMinutes(1)));
    }

    /** Calls that do not end soon run into their limit. */
    public static Ground of(Store store, Clock clock, CallThreads threads) {
        return of(store, clock, Pace.USUAL, new TimeLimit(threads, Duration.ofMinutes(1), Duration.ofMillis(20)));
    }

    private static Ground of(Store store, Clock clock, Pace pace, TimeLimit limit) {
        return new Ground(store, clock, new Comeback(pace, () -> 0.5), limit, () -> {});
    }
}
