package io.pilothouse.core.base;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Does something again and again, until it is closed or its thread is interrupted. */
public final class Rounds implements AutoCloseable {
    private final CountDownLatch over = new CountDownLatch(1);

    /** Keeps the thread until then; each round, the first one too, comes after a pause. */
    public void run(Duration pause, Runnable round) {
        try {
            while (!over.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                round.run();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
    }
}
