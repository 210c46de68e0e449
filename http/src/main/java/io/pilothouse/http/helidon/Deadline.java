package io.pilothouse.http.helidon;

import io.helidon.webserver.CloseConnectionException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The step that one connection is at, and by when that must be over. The connection's own thread moves it to the next
 * step, the server's timer ends it: the first of the two wins, so that an answer is never begun on a connection that
 * was given up.
 */
final class Deadline {
    /** The steps of a connection. */
    enum Step {
        /** Waiting for the first request to begin. */
        FIRST,
        /** Waiting for another request to begin. */
        IDLE,
        HEAD,
        BODY,
        /** Handling a request, which has deadlines of its own. */
        WORK,
        WRITE,
        /** Discarding input from a refused client, so that it gets to read its answer. */
        DRAIN,
        /** Given up. */
        OVER
    }

    /** A step and, in milliseconds since {@code ORIGIN}, the moment by which it must be over. */
    private record Phase(Step step, long until) {}

    private static final Phase GIVEN_UP = new Phase(Step.OVER, Long.MAX_VALUE);
    private static final long ORIGIN = System.nanoTime();
    private static final Duration DRAIN_TIME = Duration.ofSeconds(2);

    private final ListenerLimits limits;
    private final AtomicReference<Phase> phase;

    Deadline(ListenerLimits limits) {
        this.limits = limits;
        this.phase = new AtomicReference<>(begin(Step.FIRST));
    }

    Step step() {
        return phase.get().step();
    }

    /** Moves to this step and sets its deadline; returns the step before. */
    Step enter(Step next) {
        Phase wanted = begin(next);
        while (true) {
            Phase current = phase.get();
            if (current.step() == Step.OVER) {
                throw new CloseConnectionException("The connection was too slow");
            }
            if (phase.compareAndSet(current, wanted)) {
                return current.step();
            }
        }
    }

    /** Ends a step whose time is up, and returns it; OVER if there is nothing to end. */
    Step endIfLate() {
        Phase current = phase.get();
        boolean late = current.until() < millis();
        return late && phase.compareAndSet(current, GIVEN_UP) ? current.step() : Step.OVER;
    }

    /** Ends a connection that has no whole request yet, because its listener stops. */
    boolean endUnlessAsked() {
        while (true) {
            Phase current = phase.get();
            if (current.step() != Step.FIRST && current.step() != Step.IDLE && current.step() != Step.HEAD) {
                return false;
            }
            if (phase.compareAndSet(current, GIVEN_UP)) {
                return true;
            }
        }
    }

    private Phase begin(Step step) {
        return new Phase(step, until(step));
    }

    private long until(Step step) {
        return switch (step) {
            case FIRST -> millis() + limits.firstTime().toMillis();
            case IDLE -> millis() + limits.idleTime().toMillis();
            case HEAD -> millis() + limits.headTime().toMillis();
            case BODY -> millis() + limits.bodyTime().toMillis();
            case WRITE -> millis() + limits.writeTime().toMillis();
            case DRAIN -> millis() + DRAIN_TIME.toMillis();
            case WORK, OVER -> Long.MAX_VALUE;
        };
    }

    private static long millis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - ORIGIN);
    }
}
