package io.pilothouse.store;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The writes that wait for the writer. Those of requests come before those of the engine, which have the writer
 * to themselves once the clients that were answered have had time to come again, and until then one turn in N, so
 * that no crowd of requests stalls the engine.
 */
final class WriteQueue {
    /** Who waits for a write: a client, or only the engine, which has time. */
    enum Lane {
        REQUESTS,
        ENGINE
    }

    /** About as long as each of the clients that were answered together takes to come again. */
    private static final long COMEBACK_NANOS = 100_000;

    private final int lengthOfALane;
    private final int requestsPerPass;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<QueuedWrite<?>> requests = new ArrayDeque<>();
    private final Queue<QueuedWrite<?>> engine = new ArrayDeque<>();
    private final AtomicInteger size = new AtomicInteger();
    private int requestsSinceEngine;
    private int requestsInGroup;
    private long quietFrom = System.nanoTime();
    private boolean ended;

    WriteQueue(int lengthOfALane, int requestsPerPass) {
        this.lengthOfALane = lengthOfALane;
        this.requestsPerPass = requestsPerPass;
    }

    /** False when there is no place. */
    boolean offer(QueuedWrite<?> write, Lane lane) {
        lock.lock();
        try {
            Queue<QueuedWrite<?>> writes = lane == Lane.REQUESTS ? requests : engine;
            if (writes.size() >= lengthOfALane) {
                return false;
            }
            writes.add(write);
            size.incrementAndGet();
            changed.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The first write of a group, once it may go; null when all are taken and none will come any more. The clients of
     * the group before are answered by now, and may come again.
     */
    @Nullable
    QueuedWrite<?> take() throws InterruptedException {
        lock.lock();
        try {
            quietFrom = Math.max(quietFrom, System.nanoTime() + requestsInGroup * COMEBACK_NANOS);
            requestsInGroup = 0;
            while (true) {
                QueuedWrite<?> next = next();
                if (next != null || ended) {
                    return next;
                }
                if (engine.isEmpty()) {
                    changed.await();
                } else {
                    changed.awaitNanos(quietFrom - System.nanoTime());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** The next write of the group if one may go now. */
    @Nullable
    QueuedWrite<?> poll() {
        lock.lock();
        try {
            return next();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable QueuedWrite<?> next() {
        boolean turn = requestsSinceEngine >= requestsPerPass;
        if (!engine.isEmpty() && (turn || (requests.isEmpty() && (ended || isQuiet())))) {
            requestsSinceEngine = 0;
            size.decrementAndGet();
            return engine.remove();
        }
        if (requests.isEmpty()) {
            return null;
        }
        requestsSinceEngine = Math.min(requestsSinceEngine + 1, requestsPerPass);
        requestsInGroup++;
        size.decrementAndGet();
        return requests.remove();
    }

    private boolean isQuiet() {
        return requestsInGroup == 0 && System.nanoTime() - quietFrom >= 0;
    }

    /** From here on, once all are taken, there is no next one. */
    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    int size() {
        return size.get();
    }

    /** Sends those away that have waited too long. */
    void dismiss(Duration patience) {
        long now = System.nanoTime();
        lock.lock();
        try {
            dismiss(requests, now, patience);
            dismiss(engine, now, patience);
        } finally {
            lock.unlock();
        }
    }

    private static void dismiss(Queue<QueuedWrite<?>> lane, long now, Duration patience) {
        Iterator<QueuedWrite<?>> oldestFirst = lane.iterator();
        while (oldestFirst.hasNext() && oldestFirst.next().dismiss(now, patience)) {
            // Each caller learns of it; the writer passes over it.
        }
    }
}
