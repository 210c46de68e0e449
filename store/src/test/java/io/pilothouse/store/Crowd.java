package io.pilothouse.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Callers on virtual threads, and what came of each. */
final class Crowd<T> {
    private static final long MAX_SECONDS = 60;

    private final List<CompletableFuture<T>> outcomes = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    Crowd<T> add(Callable<T> caller) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        outcomes.add(outcome);
        threads.add(Thread.startVirtualThread(() -> {
            try {
                outcome.complete(caller.call());
            } catch (Exception | Error e) {
                outcome.completeExceptionally(e);
            }
        }));
        return this;
    }

    Crowd<T> add(int callers, Callable<T> caller) {
        for (int i = 0; i < callers; i++) {
            add(caller);
        }
        return this;
    }

    List<Thread> threads() {
        return threads;
    }

    boolean areAllDone() {
        return outcomes.stream().allMatch(CompletableFuture::isDone);
    }

    boolean anyIsDone() {
        return outcomes.stream().anyMatch(CompletableFuture::isDone);
    }

    /** Every caller's result, in the order they were added; the first failure comes out as it was. */
    List<T> results() {
        return outcomes.stream().map(Crowd::result).toList();
    }

    T result() {
        return result(outcomes.getFirst());
    }

    private static <T> T result(CompletableFuture<T> outcome) {
        try {
            return outcome.orTimeout(MAX_SECONDS, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }
}
