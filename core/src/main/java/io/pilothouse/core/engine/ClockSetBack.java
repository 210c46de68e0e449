package io.pilothouse.core.engine;

import io.pilothouse.core.port.Store;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;

/**
 * Notices that the clock was set back. Without it, what was due soon by the old time would stand still for as long as
 * the clock went back. Safe for many threads.
 */
final class ClockSetBack {
    private static final Logger LOG = System.getLogger(ClockSetBack.class.getName());

    /** What the work of the engine does not notice; a clock that is kept by a network goes back by less. */
    private static final Duration UNNOTICED = Duration.ofSeconds(1);

    private final Store store;
    private Instant latest = Instant.EPOCH;

    ClockSetBack(Store store) {
        this.store = store;
    }

    /** Ends what a dead process held, whose clock may have been ahead of this one. */
    synchronized void takeOver(Instant now, Duration lease) {
        Instant known = store.read(tables -> tables.tasks().latestUnsettled()).orElse(now);
        latest = known.isAfter(now) ? known : now;
        store.change(tables -> tables.tasks().endLeases(now, latest.plus(lease)));
        follow(now);
    }

    synchronized void follow(Instant now) {
        Duration back = Duration.between(now, latest);
        if (back.compareTo(UNNOTICED) > 0) {
            store.change(tables -> tables.tasks().bringForward(back, now));
            LOG.log(Level.WARNING, "The clock went back by {0}; what was due later is due as much earlier", back);
            latest = now;
        } else if (back.isNegative()) {
            latest = now;
        }
    }
}
