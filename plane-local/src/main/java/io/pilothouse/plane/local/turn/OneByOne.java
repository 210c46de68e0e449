package io.pilothouse.plane.local.turn;

import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** Lets one thread at a time work on a service, in the order in which they came. Safe for many threads. */
public final class OneByOne {
    private final ConcurrentHashMap<UUID, CountedLock> locks = new ConcurrentHashMap<>();

    /** One service's lock, which is kept for as long as anybody holds it or waits for it. */
    private record CountedLock(ReentrantLock lock, int takers) {
        CountedLock plus(int more) {
            return new CountedLock(lock, takers + more);
        }
    }

    /** The service is this thread's until it is closed. */
    public final class Held implements AutoCloseable {
        private final UUID id;
        private final ReentrantLock lock;

        private Held(UUID id, ReentrantLock lock) {
            this.id = id;
            this.lock = lock;
        }

        @Override
        public void close() {
            lock.unlock();
            leave(id);
        }
    }

    /** Waits until nobody else works on the service. */
    public Held take(UUID id) throws InterruptedException {
        CountedLock mine = locks.compute(
                id, (_, known) -> known == null ? new CountedLock(new ReentrantLock(true), 1) : known.plus(1));
        boolean held = false;
        try {
            mine.lock.lockInterruptibly();
            held = true;
            return new Held(id, mine.lock);
        } finally {
            if (!held) {
                leave(id);
            }
        }
    }

    /** How many services somebody works on or waits for: all that is kept in memory. */
    int taken() {
        return locks.size();
    }

    private void leave(UUID id) {
        locks.computeIfPresent(id, (_, known) -> known.takers == 1 ? null : known.plus(-1));
    }
}
