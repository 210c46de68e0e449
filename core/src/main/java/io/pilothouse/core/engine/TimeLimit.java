package io.pilothouse.core.engine;

import io.pilothouse.core.port.PlaneFault;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Puts an end to waiting for a call: one that takes too long is interrupted and becomes a fault, whether it heeds the
 * interrupt or not. While a call is still out, its subject gets no second one.
 */
public final class TimeLimit {
    private final ExecutorService executor;
    private final Set<UUID> out = ConcurrentHashMap.newKeySet();

    public TimeLimit(ExecutorService executor) {
        this.executor = executor;
    }

    public <T> T within(Duration limit, UUID id, Callable<T> call) throws PlaneFault {
        if (!out.add(id)) {
            throw new PlaneFault("The data plane has not come back from an earlier call");
        }
        AtomicBoolean taken = new AtomicBoolean();
        Future<T> future = submit(id, taken, call);
        try {
            return future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            giveUp(id, taken, future);
            throw new PlaneFault("The data plane did not answer within " + words(limit), e);
        } catch (ExecutionException e) {
            throw asItWas(e);
        } catch (InterruptedException e) {
            giveUp(id, taken, future);
            Thread.currentThread().interrupt();
            throw new PlaneFault("The engine is stopping", e);
        }
    }

    private <T> Future<T> submit(UUID id, AtomicBoolean taken, Callable<T> call) throws PlaneFault {
        try {
            return executor.submit(() -> {
                if (taken.getAndSet(true)) {
                    throw new CancellationException();
                }
                try {
                    return call.call();
                } finally {
                    out.remove(id);
                }
            });
        } catch (RejectedExecutionException e) {
            out.remove(id);
            throw new PlaneFault("The engine is stopping", e);
        }
    }

    private void giveUp(UUID id, AtomicBoolean taken, Future<?> future) {
        future.cancel(true);
        // A call that never began will not come back to say so.
        if (!taken.getAndSet(true)) {
            out.remove(id);
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
