package io.pilothouse.core.engine;

import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Release;
import io.pilothouse.core.port.Tasks.Urgency;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.function.DoubleSupplier;

/** Decides when a task is looked at again after a move: soon while something happens, ever later while it fails. */
public final class Comeback {
    private static final Logger LOG = System.getLogger(Comeback.class.getName());

    private final Clock clock;
    private final Pace pace;
    private final DoubleSupplier jitter;

    /** {@code jitter} gives numbers from 0 (inclusive) to 1 (exclusive). */
    public Comeback(Clock clock, Pace pace, DoubleSupplier jitter) {
        this.clock = clock;
        this.pace = pace;
        this.jitter = jitter;
    }

    /** {@code tries} is how often it was tried before, for what is wanted now. */
    public Release release(int tries, Move move, boolean failed) {
        Instant now = clock.now();
        return switch (move) {
            case Move.Settled _ ->
                new Release(now.plus(pace.nap(now, now, jitter.getAsDouble())), Urgency.ROUTINE, 0, true);
            case Move.Wait(Instant until) -> new Release(until, urgency(tries), tries, false);
            case Move.Start _, Move.Stop _, Move.Erase _, Move.BackOff _, Move.Gone _ -> {
                // The first thing done is looked after soon; doing it again and again takes ever longer.
                Duration pause = failed || tries > 0 ? pace.backOff(tries, jitter.getAsDouble()) : pace.firstLook();
                yield new Release(now.plus(pause), urgency(tries + 1), tries + 1, false);
            }
        };
    }

    /** What fails does not stand in the way of what does not. */
    private static Urgency urgency(int tries) {
        return tries > 1 ? Urgency.ROUTINE : Urgency.CHANGED;
    }

    /** The first failure in a row and then each time their number has doubled: an outage must not flood the log. */
    public void logSparingly(Claim claim, int tries, String fault) {
        if (Integer.bitCount(tries + 1) == 1) {
            LOG.log(Level.WARNING, "{0} {1}: {2} (try {3})", claim.kind(), claim.subjectId(), fault, tries + 1);
        }
    }
}
