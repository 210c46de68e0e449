package io.pilothouse.core.engine;

import java.time.Duration;

/**
 * How much a dispatcher takes on: {@code slots} passes at once, and {@code slowPasses} that have become slow. A lease
 * is a promise to be alive: when this process dies, its services wait that long for another.
 */
public record DispatchLimits(int slots, int slowPasses, Duration slowAfter, Duration lease, Duration poll) {
    public static final DispatchLimits USUAL =
            new DispatchLimits(64, 1_024, Duration.ofSeconds(1), Duration.ofSeconds(20), Duration.ofSeconds(5));

    /** Beside other processes, which take over within ten seconds what a dead one had. */
    public static final DispatchLimits SHARED =
            new DispatchLimits(64, 1_024, Duration.ofSeconds(1), Duration.ofSeconds(8), Duration.ofSeconds(1));

    public DispatchLimits {
        if (slots < 1 || slowPasses < 0) {
            throw new IllegalArgumentException("A dispatcher needs at least one slot");
        }
    }
}
