package io.pilothouse.core.base;

import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Makes the ids of stored rows: UUIDs of version 7, which begin with the time. Rows made together then lie
 * together in every index, so that a thousand new rows touch a few pages of the store and not a thousand. They need to
 * differ, not to be hard to guess: an id gives no right.
 */
public final class RowIds {
    private static final int RANDOM_BITS_BESIDE_THE_TIME = 16;
    private static final long VERSION_7 = 0x7000L;
    private static final long RANDOM_A = 0x0FFFL;
    private static final long VARIANT = 0x8000_0000_0000_0000L;
    private static final long VARIANT_MASK = 0xC000_0000_0000_0000L;

    private RowIds() {}

    /** The last hex digits of an id: the random ones, so that names made of them differ where the ids do. */
    public static String lastDigits(UUID id, int count) {
        String digits = id.toString().replace("-", "");
        return digits.substring(digits.length() - count);
    }

    /** A new id of something made at this moment. */
    public static UUID at(Instant now) {
        return at(now, ThreadLocalRandom.current());
    }

    public static UUID at(Instant now, RandomGenerator random) {
        long time = now.toEpochMilli() << RANDOM_BITS_BESIDE_THE_TIME;
        return new UUID(
                time | VERSION_7 | (random.nextLong() & RANDOM_A), (random.nextLong() & ~VARIANT_MASK) | VARIANT);
    }
}
