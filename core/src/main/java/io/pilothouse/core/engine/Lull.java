package io.pilothouse.core.engine;

import io.pilothouse.core.base.Refused;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * Keeps passes apart from work that changes everything under them: while one is at it, the other waits. So what a pass
 * saw is still so when it acts, and nothing that it began is left over. Safe for many threads.
 */
public final class Lull {
    private final ReentrantReadWriteLock passes = new ReentrantReadWriteLock(true);
    private final Duration patience;

    /** {@code patience} is how long work waits for the passes that run. */
    public Lull(Duration patience) {
        this.patience = patience;
    }

    /** The same pass, which waits while such work is done. */
    public Pass over(Pass pass) {
        return claim -> {
            passes.readLock().lock();
            try {
                pass.run(claim);
            } finally {
                passes.readLock().unlock();
            }
        };
    }

    /** Does this work while none of the passes runs; refuses it if one of them takes too long to end. */
    public <T> T during(Supplier<T> work) {
        try {
            if (!passes.writeLock().tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new Refused(Refused.Reason.UNAVAILABLE, "The engine is busy with something slow: try again");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refused(Refused.Reason.UNAVAILABLE, "The program is stopping");
        }
        try {
            return work.get();
        } finally {
            passes.writeLock().unlock();
        }
    }
}
