package io.pilothouse.console.plot;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A value that stays as it is until it changes, as values at equal distances for a curve. NaN means that there is none. */
public final class Steps {
    private final NavigableMap<Instant, Double> changes;

    private Steps(NavigableMap<Instant, Double> changes) {
        this.changes = changes;
    }

    /** What it changed to, by when. */
    public static Steps of(Map<Instant, Double> changes) {
        return new Steps(new TreeMap<>(changes));
    }

    /** The highest that it was in each of this many equal parts of the time, so that a short one shows. */
    public List<Double> values(Instant from, Instant to, int points) {
        long part = Duration.between(from, to).toNanos() / points;
        List<Double> values = new ArrayList<>();
        Instant begin = from;
        for (int at = 1; at <= points; at++) {
            Instant end = at == points ? to : from.plusNanos(part * at);
            values.add(highest(begin, end, at == points));
            begin = end;
        }
        return values;
    }

    private double highest(Instant begin, Instant end, boolean last) {
        Map.Entry<Instant, Double> before = changes.floorEntry(begin);
        return Stream.concat(
                        Stream.ofNullable(before).map(Map.Entry::getValue), later(begin, end, last).values().stream())
                .mapToDouble(Double::doubleValue)
                .filter(value -> !Double.isNaN(value))
                .max()
                .orElse(Double.NaN);
    }

    /** A change at the end of a part is of the next one, unless it is the last. */
    private NavigableMap<Instant, Double> later(Instant begin, Instant end, boolean last) {
        return begin.equals(end) ? Collections.emptyNavigableMap() : changes.subMap(begin, false, end, last);
    }
}
