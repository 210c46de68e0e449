package io.pilothouse.testkit.api;

import io.pilothouse.core.right.Permission;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The program's own record of each request; it is written after the answer was sent, so readers wait for it. */
public final class ApiLedger {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition noted = lock.newCondition();
    private final Map<UUID, Note> notes = new HashMap<>();
    private long total;

    /** One request as the program saw it. */
    public record Note(
            UUID requestId,
            @Nullable String operationId,
            @Nullable Permission permission,
            @Nullable UUID keyId,
            int status) {}

    public void add(Note note) {
        lock.lock();
        try {
            total++;
            if (notes.put(note.requestId(), note) != null) {
                throw new IllegalStateException("Two requests have the id " + note.requestId());
            }
            noted.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** How many requests there were. */
    public long total() {
        lock.lock();
        try {
            return total;
        } finally {
            lock.unlock();
        }
    }

    /** The note on this request; null when none was made in time. */
    @Nullable
    Note await(UUID requestId) {
        long nanos = PATIENCE.toNanos();
        lock.lock();
        try {
            while (!notes.containsKey(requestId) && nanos > 0) {
                nanos = noted.awaitNanos(nanos);
            }
            return notes.get(requestId);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for this many records in total. */
    public boolean awaitTotal(long wanted) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        lock.lock();
        try {
            while (total < wanted && System.nanoTime() < end) {
                noted.awaitNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
            return total >= wanted;
        } finally {
            lock.unlock();
        }
    }
}
