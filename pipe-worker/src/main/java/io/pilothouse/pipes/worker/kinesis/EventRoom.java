package io.pilothouse.pipes.worker.kinesis;

import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;

/** The memory that all shards of a worker share for events that were sent and are not taken yet. Safe for many threads. */
final class EventRoom {
    private static final int KILOBYTE_BITS = 10;

    private final int most;
    private final Semaphore kilobytes;

    EventRoom(long bytes) {
        this.most = Math.toIntExact(bytes >> KILOBYTE_BITS);
        // In their order, so that a large event waits no longer than others.
        this.kilobytes = new Semaphore(most, true);
    }

    /** How many wait for room. */
    int waiting() {
        return kilobytes.getQueueLength();
    }

    /** One that is larger than all there is takes all of it. */
    private int permits(int bytes) {
        return Math.min(most, (bytes >> KILOBYTE_BITS) + 1);
    }

    Share share() {
        return new Share();
    }

    /** What one subscription holds of it. */
    final class Share {
        private int held;
        private boolean closed;
        private volatile boolean waiting;

        /** Whether something has come for which there is no room yet. */
        boolean isWaiting() {
            return waiting;
        }

        /** Waits until there is as much. */
        void take(int bytes) throws InterruptedIOException {
            int more = permits(bytes);
            waiting = true;
            try {
                kilobytes.acquire(more);
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("the subscription is over");
            } finally {
                waiting = false;
            }
            synchronized (this) {
                held += more;
                if (closed) {
                    giveAll();
                }
            }
        }

        void give(int bytes) {
            synchronized (this) {
                if (!closed) {
                    held -= permits(bytes);
                    kilobytes.release(permits(bytes));
                }
            }
        }

        /** Gives back what was not taken, and what may still come. */
        synchronized void close() {
            closed = true;
            giveAll();
        }

        private synchronized void giveAll() {
            kilobytes.release(held);
            held = 0;
        }
    }
}
