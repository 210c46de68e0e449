package io.pilothouse.plane.local;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Runs one action on many services concurrently; all of them run even if one fails. */
final class AllAtOnce {
    private AllAtOnce() {}

    /** The action. */
    interface Task {
        void run(UUID id) throws DatabaseFailure, InterruptedException;
    }

    /** Returns when all have ended; throws the first failure if there was one. */
    static void run(ExecutorService threads, List<UUID> ids, Task task) throws DatabaseFailure, InterruptedException {
        try {
            List<Future<?>> running = new ArrayList<>();
            for (UUID id : ids) {
                running.add(threads.submit(() -> {
                    task.run(id);
                    return id;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof DatabaseFailure fault) {
                throw fault;
            }
            throw new IllegalStateException("A task for one service failed.", failure);
        }
    }
}
