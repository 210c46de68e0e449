package io.pilothouse.core.injection;

import io.pilothouse.core.injection.Injection.Frequency;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An injection in force, and what it has done. Each operation has dice of its own, rolled in the order of its requests,
 * so that requests of another operation in between change nothing. Safe for many threads.
 */
final class LiveInjection {
    private static final String SERVICES = "";
    /** An odd constant far from any small number, so that neighbours in number or seed share no dice. */
    private static final long APART = 0x9E37_79B9_7F4A_7C15L;

    private final Injection injection;
    private final long seed;
    private final Map<String, Dice> dice = new HashMap<>();
    private final Map<UUID, Boolean> services = new HashMap<>();
    private long met;
    private long struck;

    /** The dice of one operation, and how many of its next requests a burst that has begun still strikes. */
    private static final class Dice {
        private final SplittableRandom random;
        private int ofBurst;

        Dice(long seed) {
            this.random = new SplittableRandom(seed);
        }
    }

    /** {@code number} is how many were set before it since the seed, so that no two have the same dice. */
    LiveInjection(Injection injection, long seed, int number) {
        this.injection = injection;
        this.seed = seed + number * APART;
    }

    Injection injection() {
        return injection;
    }

    synchronized Injections.Count count() {
        return new Injections.Count(injection, met, struck);
    }

    /** Whether it strikes something that it may strike: a call is one more time that it could have. */
    synchronized boolean strikes(String stream) {
        Frequency frequency = injection.frequency();
        if (frequency.count() > 0 && struck >= frequency.count()) {
            return false;
        }
        met++;
        Dice own = dice.computeIfAbsent(stream, name -> new Dice(seed + 31L * name.hashCode()));
        if (own.ofBurst > 0) {
            own.ofBurst--;
        } else if (met <= frequency.skip() || own.random.nextDouble() >= frequency.probability()) {
            return false;
        } else {
            own.ofBurst = frequency.burst() - 1;
        }
        struck++;
        return true;
    }

    /** Whether it strikes a service that it has not met yet. */
    synchronized boolean strikes(UUID serviceId) {
        return services.computeIfAbsent(serviceId, _ -> strikes(SERVICES));
    }

    /** What was decided for a service; null for one that it has not met. */
    synchronized @Nullable Boolean decided(UUID serviceId) {
        return services.get(serviceId);
    }

    synchronized void forget(UUID serviceId) {
        services.remove(serviceId);
    }
}
