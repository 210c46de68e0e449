package io.pilothouse.core.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Logs an outage of the store once when it begins and once when it ends, however many passes meet it; for many threads.
 */
final class StoreOutage {
    private static final Logger LOG = System.getLogger(StoreOutage.class.getName());
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

    private int failures;

    /** Notes a failure and says how long to leave the store alone. */
    synchronized Duration noticed(RuntimeException failure) {
        if (failures == 0) {
            LOG.log(Level.WARNING, "The store does not work; the engine waits for it", failure);
        }
        Duration pause = Duration.ofNanos(FIRST_PAUSE.toNanos() << Math.min(failures, 10));
        failures++;
        return pause.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : pause;
    }

    synchronized void over() {
        if (failures > 0) {
            LOG.log(Level.INFO, "The store works again after {0} failed attempts", failures);
            failures = 0;
        }
    }
}
