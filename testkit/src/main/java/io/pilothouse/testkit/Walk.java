package io.pilothouse.testkit;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A test that could go on for ever: how far it goes, and from which seed. It is short in every run and goes its full
 * length with {@code ./pilothouse test --deep}; {@code -Dpilothouse.seed=N} repeats the one that printed N.
 */
public final class Walk {
    private static final String SEED = "pilothouse.seed";

    private final long seed;

    private Walk(long seed) {
        this.seed = seed;
    }

    /** Prints the seed, so that also a run that is killed can be repeated. */
    public static Walk begin(Class<?> test) {
        long seed = Long.getLong(SEED, System.nanoTime());
        System.out.printf("%s walks from -D%s=%d%n", test.getSimpleName(), SEED, seed);
        return new Walk(seed);
    }

    /** How many steps to go: {@code usual} in every run, {@code full} in a deep one. */
    public static int length(int usual, int full) {
        return Boolean.getBoolean("pilothouse.deep") ? full : usual;
    }

    public long seed() {
        return seed;
    }

    /** The same chances for the same seed. */
    public RandomGenerator random() {
        return random(0);
    }

    /** The same, for one of several that walk at once. */
    public RandomGenerator random(int walker) {
        return new SplittableRandom(seed + walker);
    }

    @Override
    public String toString() {
        return "seed " + seed;
    }
}
