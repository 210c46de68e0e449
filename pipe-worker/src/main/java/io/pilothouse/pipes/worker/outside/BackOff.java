package io.pilothouse.pipes.worker.outside;

import java.util.concurrent.ThreadLocalRandom;

/** The pauses between tries of something that fails: doubled each time, up to half a minute, and spread. For one thread. */
public final class BackOff {
    private static final long FIRST_MILLIS = 500;
    private static final long MAX_MILLIS = 30_000;

    private long next = FIRST_MILLIS;

    public long millis() {
        long pause = next / 2 + ThreadLocalRandom.current().nextLong(next / 2 + 1);
        next = Math.min(MAX_MILLIS, next * 2);
        return pause;
    }

    public void reset() {
        next = FIRST_MILLIS;
    }
}
