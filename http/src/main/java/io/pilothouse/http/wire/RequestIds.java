package io.pilothouse.http.wire;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Makes the ids of requests: UUIDs of version 4 that must differ but need not be hard to guess, and so are cheap. */
public final class RequestIds {
    private static final long VERSION_4 = 0x4000L;
    private static final long VERSION_MASK = 0xF000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;
    private static final long VARIANT_MASK = 0xC000_0000_0000_0000L;

    private RequestIds() {}

    public static UUID next() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new UUID((random.nextLong() & ~VERSION_MASK) | VERSION_4, (random.nextLong() & ~VARIANT_MASK) | VARIANT);
    }
}
