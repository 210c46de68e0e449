package io.pilothouse.core.figure;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The last day of the databases that ran in it, in memory: a fixed number of bytes for each, and for a bounded number of them.
 * One that sleeps is not asked, adds nothing and is forgotten after a day, or earlier where another needs its
 * place. Safe for many threads.
 */
public final class PulseHistory {
    /** Of about 3 kB each. */
    public static final int MAX_SERVICES = 1_000;

    private static final long MINUTES_OF_DAY = Duration.ofDays(1).toMinutes();

    private final Instant since;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<UUID, PulseRing> rings = new HashMap<>();

    /** One that begins now. */
    public PulseHistory(Instant since) {
        this.since = since;
    }

    /** The time that plots show. */
    public enum Span {
        HOUR(60),
        DAY(900);

        private final long seconds;

        Span(long seconds) {
            this.seconds = seconds;
        }

        /** When a step began, counted back from the one that a moment is in. */
        public Instant begin(Instant moment, int ago) {
            return Instant.ofEpochSecond((moment.getEpochSecond() / seconds - ago) * seconds);
        }
    }

    public Instant since() {
        return since;
    }

    /** Keeps what was seen in the minute of this moment, unless all places are taken by databases that run too. */
    public void add(UUID serviceId, Instant at, Pulse pulse) {
        long minute = minute(at);
        lock.lock();
        try {
            if (rings.containsKey(serviceId) || hasPlace(minute)) {
                rings.computeIfAbsent(serviceId, _ -> new PulseRing()).add(minute, pulse);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Those that were not seen for a day go; where that is not enough, the one that was not seen for longest. */
    private boolean hasPlace(long minute) {
        if (rings.size() < MAX_SERVICES) {
            return true;
        }
        rings.values().removeIf(ring -> minute - ring.latest() >= MINUTES_OF_DAY);
        if (rings.size() == MAX_SERVICES) {
            Map.Entry<UUID, PulseRing> oldest = rings.entrySet().stream()
                    .min(Comparator.comparingLong(entry -> entry.getValue().latest()))
                    .orElseThrow();
            if (oldest.getValue().latest() < minute - 1) {
                rings.remove(oldest.getKey());
            }
        }
        return rings.size() < MAX_SERVICES;
    }

    /** Step by step until now, the latest last; NaN where nothing is known, and empty if nothing is at all. */
    public List<Double> values(UUID serviceId, Vital vital, Span span, Instant now) {
        long minute = minute(now);
        return of(serviceId, minute, ring -> switch (span) {
            case HOUR -> ring.hour(vital, minute);
            case DAY -> ring.day(vital, minute);
        });
    }

    /** The same of everything that is watched, as it is at one moment. */
    public Map<Vital, List<Double>> values(UUID serviceId, Span span, Instant now) {
        Map<Vital, List<Double>> all = new EnumMap<>(Vital.class);
        lock.lock();
        try {
            for (Vital vital : Vital.values()) {
                all.put(vital, values(serviceId, vital, span, now));
            }
        } finally {
            lock.unlock();
        }
        return all;
    }

    private List<Double> of(UUID serviceId, long minute, Function<PulseRing, List<Double>> read) {
        lock.lock();
        try {
            return Optional.ofNullable(rings.get(serviceId))
                    .filter(ring -> minute - ring.latest() < MINUTES_OF_DAY)
                    .map(read)
                    .orElse(List.of());
        } finally {
            lock.unlock();
        }
    }

    private static long minute(Instant at) {
        return at.getEpochSecond() / 60;
    }
}
