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
 * The writes that wait for the one that writes. Those of the engine let those of requests go first: they have the writer
 * to themselves once no request has come for a moment, and until then every ninth turn, so that no crowd of requests
 * brings the engine to a stand.
 */
final class WriteQueue {
    /** Who waits for a write: a client, or only the engine, which has time. */
    enum Lane {
        REQUESTS,
        ENGINE
    }

    /** After so many writes of requests, one of the engine. */
    private static final int ENGINES_TURN = 8;

    /** About as long as a client that was answered takes to come again, and too short to matter to the engine. */
    private static final long QUIET_NANOS = 300_000;

    private final int lengthOfALane;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<QueuedWrite<?>> requests = new ArrayDeque<>();
    private final Queue<QueuedWrite<?>> engine = new ArrayDeque<>();
    private final AtomicInteger size = new AtomicInteger();
    private int requestsSinceEngine;
    private long lastRequest = System.nanoTime() - QUIET_NANOS;
    private boolean ended;

    WriteQueue(int lengthOfALane) {
        this.lengthOfALane = lengthOfALane;
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

    /** The next write, once it may go; null when all are taken and none will come any more. */
    @Nullable
    QueuedWrite<?> take() throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                QueuedWrite<?> next = next();
                if (next != null || ended) {
                    return next;
                }
                if (engine.isEmpty()) {
                    changed.await();
                } else {
                    changed.awaitNanos(lastRequest + QUIET_NANOS - System.nanoTime());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** The next write if one may go now. */
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
        boolean turn = requestsSinceEngine >= ENGINES_TURN;
        if (!engine.isEmpty() && (turn || (requests.isEmpty() && (ended || isQuiet())))) {
            requestsSinceEngine = 0;
            size.decrementAndGet();
            return engine.remove();
        }
        if (requests.isEmpty()) {
            return null;
        }
        requestsSinceEngine = Math.min(requestsSinceEngine + 1, ENGINES_TURN);
        lastRequest = System.nanoTime();
        size.decrementAndGet();
        return requests.remove();
    }

    private boolean isQuiet() {
        return System.nanoTime() - lastRequest >= QUIET_NANOS;
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
            // Each is told; the writer passes over it.
        }
    }
}
