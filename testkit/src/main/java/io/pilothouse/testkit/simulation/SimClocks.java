package io.pilothouse.testkit.simulation;

import io.pilothouse.core.port.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The clock of a process, as the program makes it for processes that share a store. */
@FunctionalInterface
public interface SimClocks {
    /** For a process that has its store to itself: the time is that of its machine. */
    SimClocks OF_THE_MACHINE = (machine, _, _) -> new Kept(machine, () -> {});

    /** {@code machine} may show anything, {@code ticks} go on at nearly the right speed, {@code server} is asked for its time. */
    Kept begin(Clock machine, LongSupplier ticks, Supplier<Reading> server);

    /** A clock, and what it does every few seconds to stay right. */
    record Kept(Clock clock, Runnable follow) {}

    /** The time of the server when the ticks of the machine were these, by half of the way there and back. */
    record Reading(Instant time, long tick, Duration trip) {}
}
