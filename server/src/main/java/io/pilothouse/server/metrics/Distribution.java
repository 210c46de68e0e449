package io.pilothouse.server.metrics;

import io.pilothouse.http.metrics.MetricsText;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongToDoubleFunction;

/** Counts values by size, for a histogram; adding one takes no lock and no memory. Safe for many threads. */
final class Distribution {
    private final long[] bounds;
    private final LongAdder[] counts;
    private final LongAdder sum = new LongAdder();

    /** {@code bounds} rise; a value belongs to the first bound that is not below it. */
    Distribution(long... bounds) {
        this.bounds = bounds.clone();
        this.counts = new LongAdder[bounds.length + 1];
        for (int at = 0; at < counts.length; at++) {
            counts[at] = new LongAdder();
        }
    }

    void add(long value) {
        int at = 0;
        while (at < bounds.length && value > bounds[at]) {
            at++;
        }
        counts[at].increment();
        sum.add(value);
    }

    /** Writes the samples of a histogram; {@code unit} turns values and bounds into what is shown. */
    void write(MetricsText text, String name, LongToDoubleFunction unit, String... labels) {
        String[] withBound = Arrays.copyOf(labels, labels.length + 2);
        withBound[labels.length] = "le";
        long count = 0;
        for (int at = 0; at < counts.length; at++) {
            count += counts[at].sum();
            withBound[labels.length + 1] =
                    at == bounds.length ? "+Inf" : MetricsText.number(unit.applyAsDouble(bounds[at]));
            text.sample(name + "_bucket", count, withBound);
        }
        text.sample(name + "_sum", unit.applyAsDouble(sum.sum()), labels);
        text.sample(name + "_count", count, labels);
    }
}
