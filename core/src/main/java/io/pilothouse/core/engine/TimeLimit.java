package io.pilothouse.core.engine;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Kind;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Puts an end to waiting for the outside world: a call that takes too long is interrupted and becomes a fault, whether
 * it reacts to the interrupt or not. While a call is still out, its subject gets no second one. Safe for many threads.
 */
public final class TimeLimit {
    private final Executor executor;
    private final Duration look;
    private final Duration act;
    private final Set<Subject> out = ConcurrentHashMap.newKeySet();

    /** The thing that has one call at a time. */
    private record Subject(Kind kind, UUID id) {}

    /** {@code executor} runs each call on a thread of its own; looks get the one limit, everything else the other. */
    public TimeLimit(Executor executor, Duration look, Duration act) {
        this.executor = executor;
        this.look = look;
        this.act = act;
    }

    public <T> T look(Claim claim, Callable<T> call) throws PlaneFault {
        return within(look, claim, call);
    }

    public void act(Claim claim, Next.Effect effect) throws PlaneFault {
        within(act, claim, () -> {
            effect.happen();
            return true;
        });
    }

    private <T> T within(Duration limit, Claim claim, Callable<T> call) throws PlaneFault {
        Subject subject = new Subject(claim.kind(), claim.subjectId());
        if (!out.add(subject)) {
            throw new PlaneFault("The data plane has not come back from an earlier call");
        }
        AtomicBoolean taken = new AtomicBoolean();
        FutureTask<T> task = new FutureTask<>(() -> {
            if (taken.getAndSet(true)) {
                throw new CancellationException();
            }
            try {
                return call.call();
            } finally {
                out.remove(subject);
            }
        });
        begin(subject, task);
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            giveUp(subject, taken, task);
            throw new PlaneFault("The data plane did not answer within " + words(limit), e);
        } catch (ExecutionException e) {
            throw asItWas(e);
        } catch (InterruptedException e) {
            giveUp(subject, taken, task);
            Thread.currentThread().interrupt();
            throw new PlaneFault("The engine is stopping", e);
        }
    }

    private void begin(Subject subject, Runnable task) throws PlaneFault {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            out.remove(subject);
            throw new PlaneFault("The engine is stopping", e);
        }
    }

    private void giveUp(Subject subject, AtomicBoolean taken, FutureTask<?> task) {
        task.cancel(true);
        // A call that never began will not come back to say so.
        if (!taken.getAndSet(true)) {
            out.remove(subject);
        }
    }

    private static PlaneFault asItWas(ExecutionException failed) {
        return switch (failed.getCause()) {
            case PlaneFault fault -> fault;
            case RuntimeException bug -> throw bug;
            case Error error -> throw error;
            case null -> throw new IllegalStateException(failed);
            case Throwable other -> throw new IllegalStateException(other);
        };
    }

    /** A length of time as a person says it. */
    public static String words(Duration duration) {
        boolean wholeMinutes = duration.toSeconds() >= 60 && duration.toSeconds() % 60 == 0;
        long count = wholeMinutes ? duration.toMinutes() : duration.toSeconds();
        return count + (wholeMinutes ? " minute" : " second") + (count == 1 ? "" : "s");
    }
}
