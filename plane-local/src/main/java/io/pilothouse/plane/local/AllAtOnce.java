package io.pilothouse.plane.local;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Runs one action on many things concurrently; all of them run even if one fails. */
final class AllAtOnce {
    private AllAtOnce() {}

    /** The action. */
    interface Task<T> {
        void run(T thing) throws DatabaseFailure, InterruptedException;
    }

    /** Returns when all have ended; throws the first failure if there was one. */
    static <T> void run(ExecutorService threads, Collection<T> things, Task<T> task)
            throws DatabaseFailure, InterruptedException {
        try {
            List<Future<?>> running = new ArrayList<>();
            for (T thing : things) {
                running.add(threads.submit(() -> {
                    task.run(thing);
                    return thing;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof DatabaseFailure fault) {
                throw fault;
            }
            throw new IllegalStateException("A task for one of them failed.", failure);
        }
    }
}
