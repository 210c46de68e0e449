package io.pilothouse.store.rows;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Moments as whole nanoseconds since 1970, so that they sort and come back exactly. What lies outside the years 1677
 * to 2262 becomes the nearest moment inside: it is only ever "before all" or "never".
 */
public final class EpochNanos {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private EpochNanos() {}

    public static long of(Instant moment) {
        try {
            return Math.addExact(Math.multiplyExact(moment.getEpochSecond(), SECOND), moment.getNano());
        } catch (ArithmeticException e) {
            return moment.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    public static Instant toInstant(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, SECOND), Math.floorMod(nanos, SECOND));
    }
}
