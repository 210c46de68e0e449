package io.pilothouse.core.engine;

import java.time.Duration;
import java.time.Instant;

/**
 * How often a service is looked at: rarely when settled, often and then ever less while something is under way, and
 * with doubling pauses when it fails.
 */
public record Pace(
        Duration routine, Duration firstLook, Duration longestLook, Duration firstBackOff, Duration longestBackOff) {
    public static final Pace USUAL = new Pace(
            Duration.ofMinutes(1),
            Duration.ofMillis(250),
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Duration.ofMinutes(2));

    private static final int LOOKS_PER_TRIPLING = 3;
    private static final int MAX_REST = 60;
    private static final int MAX_DOUBLINGS = 20;

    /** The next look at something under way since then: a third of its age later, so a few looks find any duration. */
    public Instant nextLook(Instant since, Instant now) {
        Duration third = Duration.ofNanos(Duration.between(since, now).toNanos() / LOOKS_PER_TRIPLING);
        return now.plus(clamp(third, firstLook, longestLook));
    }

    /** The pause after this many tries, between half and all of the doubled figure so that a crowd spreads out. */
    public Duration backOff(int tries, double roll) {
        Duration doubled = Duration.ofNanos(firstBackOff.toNanos() << Math.min(tries, MAX_DOUBLINGS));
        return spread(clamp(doubled, firstBackOff, longestBackOff), 0.5, roll);
    }

    /** How many of these tries can have been for a wish of this age: failures for an earlier wish no longer count. */
    public int triesFor(Duration age, int tries) {
        Duration needed = firstLook;
        int counted = 0;
        while (counted < tries && needed.compareTo(age) <= 0) {
            counted++;
            needed = needed.plus(backOff(counted, 0.0));
        }
        return counted;
    }

    /**
     * The pause before something settled is looked at again: as long as nothing has happened to it, so that a fleet at
     * rest costs next to nothing. The plane reports changes in between; the look only finds what was missed.
     */
    public Duration nap(Instant settledSince, Instant now, double roll) {
        Duration rest = Duration.between(settledSince, now);
        return spread(clamp(rest, routine, Duration.ofNanos(routine.toNanos() * MAX_REST)), 0.9, roll);
    }

    private static Duration spread(Duration whole, double least, double roll) {
        return Duration.ofNanos(Math.round(whole.toNanos() * (least + (1 - least) * roll)));
    }

    private static Duration clamp(Duration duration, Duration least, Duration most) {
        if (duration.compareTo(least) < 0) {
            return least;
        }
        return duration.compareTo(most) > 0 ? most : duration;
    }
}
