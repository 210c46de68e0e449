package io.pilothouse.core.port;

import java.time.Instant;

/** What time it is; handed in, so that tests can move it. */
@FunctionalInterface
public interface Clock {
    Instant now();
}
