package io.pilothouse.core.port;

import java.time.Duration;
import java.time.Instant;

/** The current time; handed in, so that tests can move it. */
@FunctionalInterface
public interface Clock {
    Instant now();

    /** How far this time is behind the clock of the machine, negative if it is ahead of it. */
    default Duration behind() {
        return Duration.ZERO;
    }
}
