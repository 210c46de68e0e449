package io.pilothouse.console.plot;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How fast counters grow, from what those who look at them have seen in the last minute: nothing is counted where nobody
 * looks. Safe for many threads.
 */
public final class Rates {
    static final int MAX_COUNTERS = 2_000;
    private static final Duration BETWEEN = Duration.ofSeconds(2);
    private static final Duration LAST = Duration.ofMinutes(1);
    private static final double MILLIS_OF_SECOND = 1_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Deque<Seen>> counters = new LinkedHashMap<>(16, 0.75f, true);

    private record Seen(Instant at, double count) {}

    /** How much a counter grows in a second; NaN until it was seen twice. One that is smaller began again. */
    public double perSecond(String counter, Instant now, double count) {
        lock.lock();
        try {
            Deque<Seen> seen = counters.computeIfAbsent(counter, _ -> new ArrayDeque<>());
            if (counters.size() > MAX_COUNTERS) {
                counters.remove(counters.keySet().iterator().next());
            }
            if (!seen.isEmpty() && count < seen.getLast().count()) {
                seen.clear();
            }
            while (!seen.isEmpty() && seen.getFirst().at().isBefore(now.minus(LAST))) {
                seen.removeFirst();
            }
            if (seen.isEmpty() || !seen.getLast().at().plus(BETWEEN).isAfter(now)) {
                seen.addLast(new Seen(now, count));
            }
            return between(seen.getFirst(), seen.getLast());
        } finally {
            lock.unlock();
        }
    }

    private static double between(Seen first, Seen last) {
        long millis = Duration.between(first.at(), last.at()).toMillis();
        return millis <= 0 ? Double.NaN : (last.count() - first.count()) * MILLIS_OF_SECOND / millis;
    }
}
