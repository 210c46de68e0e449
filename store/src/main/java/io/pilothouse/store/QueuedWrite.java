package io.pilothouse.store;

import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One write on its way through the writer. Until the writer takes it, its caller may withdraw it; once taken, the
 * caller waits for the outcome, however impatient or interrupted, so that no caller is left without one.
 */
final class QueuedWrite<T> {
    private enum Place {
        WAITING,
        TAKEN,
        WITHDRAWN
    }

    private final Function<Tables, T> work;
    private final long seed = ThreadLocalRandom.current().nextLong();
    private final AtomicReference<Place> place = new AtomicReference<>(Place.WAITING);
    private final CountDownLatch known = new CountDownLatch(1);
    private final long queuedAt = System.nanoTime();
    private List<Runnable> nudges = List.of();
    private boolean kept;
    private Supplier<T> outcome = () -> {
        throw new IllegalStateException("The outcome is not known yet");
    };

    QueuedWrite(Function<Tables, T> work) {
        this.work = work;
    }

    /** Called by the writer: whether a caller still waits for it. */
    boolean take() {
        return place.compareAndSet(Place.WAITING, Place.TAKEN);
    }

    /**
     * Runs the work; what it throws is its outcome, and thrown on so that the writer can undo it. The outcome of an
     * earlier run no longer counts.
     */
    void run(Nesting nesting, Transaction transaction) {
        kept = false;
        nudges = List.of();
        try {
            T result = transaction.run(nesting, work);
            outcome = () -> result;
            nudges = transaction.nudges();
            kept = true;
        } catch (RuntimeException | Error e) {
            outcome = () -> {
                throw Transaction.unchecked(e);
            };
            throw e;
        }
    }

    /** The source of new ids, in every run. */
    long seed() {
        return seed;
    }

    /** Whether the work itself succeeded. */
    boolean isKept() {
        return kept;
    }

    /** The outcome stands: a kept write is on disk. */
    void settle() {
        known.countDown();
    }

    /** Nothing was kept, whatever the work said. */
    void fail(StoreUnavailable reason) {
        outcome = () -> {
            throw reason;
        };
        known.countDown();
    }

    /**
     * Fails it if it has waited this long and is not taken yet; returns whether it has waited this long. Not left to
     * its caller: a virtual thread that waits for a moment as well as for an event costs two wake-ups more.
     */
    boolean dismiss(long now, Duration patience) {
        if (now - queuedAt < patience.toNanos()) {
            return false;
        }
        if (place.compareAndSet(Place.WAITING, Place.WITHDRAWN)) {
            fail(new StoreUnavailable("The store is too busy", new TimeoutException("waited " + patience)));
        }
        return true;
    }

    T await() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    known.await();
                    return outcome();
                } catch (InterruptedException e) {
                    interrupted = true;
                    if (place.compareAndSet(Place.WAITING, Place.WITHDRAWN)) {
                        throw new StoreUnavailable("The write was interrupted before it began", e);
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private T outcome() {
        T result = outcome.get();
        Transaction.run(nudges);
        return result;
    }
}
