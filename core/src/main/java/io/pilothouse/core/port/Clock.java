package io.pilothouse.core.port;

import java.time.Instant;

/** The current time; handed in, so that tests can move it. */
@FunctionalInterface
public interface Clock {
    Instant now();
}
