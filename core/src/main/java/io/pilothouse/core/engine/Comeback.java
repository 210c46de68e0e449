package io.pilothouse.core.engine;

import io.pilothouse.core.port.Tasks.Release;
import io.pilothouse.core.port.Tasks.Urgency;
import java.time.Duration;
import java.time.Instant;
import java.util.function.DoubleSupplier;

/** Decides when a task is looked at again after a pass: soon while something happens, ever later while it fails. */
public final class Comeback {
    private final Pace pace;
    private final DoubleSupplier jitter;

    /** {@code jitter} gives numbers from 0 (inclusive) to 1 (exclusive). */
    public Comeback(Pace pace, DoubleSupplier jitter) {
        this.pace = pace;
        this.jitter = jitter;
    }

    /**
     * The differences from thing to thing: how urgent it is while it goes well, how often it was tried before for what
     * is wanted now, and the deadline at which clients learn of a delay ({@link Instant#MAX} for none).
     */
    public record Terms(Urgency urgency, int tries, Instant deadline) {}

    /** {@code failed} is whether what was to be done did not work. */
    public Release release(Next next, Terms terms, boolean failed, Instant now) {
        return switch (next) {
            case Next.Nap(Instant since) ->
                new Release(now.plus(pace.nap(since, now, jitter.getAsDouble())), Urgency.ROUTINE, 0, true);
            case Next.NapUntil(Instant until) -> new Release(until, Urgency.ROUTINE, 0, true);
            case Next.Wait(Instant until) -> unsettled(until, terms.tries(), terms, failed, now);
            case Next.Complete _ when !failed -> unsettled(now.plus(pace.firstLook()), 0, terms, false, now);
            case Next.Do _, Next.Complete _, Next.BackOff _ ->
                unsettled(now.plus(pause(terms.tries(), failed)), terms.tries() + 1, terms, failed, now);
            case Next.Gone _ -> throw new IllegalStateException("What is gone is not looked at again");
        };
    }

    /** The first thing done is looked after soon; doing it again and again takes ever longer. */
    private Duration pause(int tries, boolean failed) {
        return failed || tries > 0 ? pace.backOff(tries, jitter.getAsDouble()) : pace.firstLook();
    }

    /** Comes back no later than the deadline, so that a delay is shown when it is due. */
    private static Release unsettled(Instant next, int tries, Terms terms, boolean failed, Instant now) {
        boolean pastIt = terms.deadline().isAfter(now) && next.isAfter(terms.deadline());
        return new Release(pastIt ? terms.deadline() : next, urgency(terms, failed), tries, false);
    }

    /** Tasks that fail are less urgent than those that do not. */
    private static Urgency urgency(Terms terms, boolean failed) {
        int tries = failed ? terms.tries() + 1 : terms.tries();
        return tries > 1 ? Urgency.ROUTINE : terms.urgency();
    }
}
