package io.pilothouse.plane.local.turn;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Runs one action on many things concurrently; all of them run even if one fails. */
public final class AllAtOnce {
    private AllAtOnce() {}

    /** The action. */
    public interface Task<T, E extends Exception> {
        void run(T thing) throws E, InterruptedException;
    }

    /** Returns when all have ended; throws the first failure, which is of that class, if there was one. */
    public static <T, E extends Exception> void run(
            ExecutorService threads, Collection<T> things, Class<E> failures, Task<T, E> task)
            throws E, InterruptedException {
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
            if (failures.isInstance(failure.getCause())) {
                throw failures.cast(failure.getCause());
            }
            throw new IllegalStateException("A task for one of them failed.", failure);
        }
    }
}
