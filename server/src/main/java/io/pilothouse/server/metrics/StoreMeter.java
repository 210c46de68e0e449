package io.pilothouse.server.metrics;

import io.pilothouse.http.metrics.MetricsText;
import io.pilothouse.store.StoreMetrics;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Counts what the store's writer does. Safe for many threads. */
public final class StoreMeter implements StoreMetrics {
    private static final long[] GROUP_SIZES = {1, 2, 4, 8, 16, 32, 64, 128, 256};
    private static final long[] COMMIT_MICROS = {100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 100_000, 1_000_000
    };

    private final Distribution groupSizes = new Distribution(GROUP_SIZES);
    private final Distribution commitMicros = new Distribution(COMMIT_MICROS);
    private final LongAdder failed = new LongAdder();
    private volatile int waiting;

    @Override
    public void waiting(int writes) {
        waiting = writes;
    }

    @Override
    public void failed(int writes) {
        failed.add(writes);
    }

    @Override
    public void committed(int writes, Duration took) {
        groupSizes.add(writes);
        commitMicros.add(TimeUnit.NANOSECONDS.toMicros(took.toNanos()));
    }

    public void write(MetricsText text) {
        text.single(
                "pilothouse_store_writes_waiting",
                MetricsText.Kind.GAUGE,
                "Writes that wait for the store's writer.",
                waiting);
        text.single(
                "pilothouse_store_writes_failed_total",
                MetricsText.Kind.COUNTER,
                "Writes that the store could not keep, as on a full or broken disk.",
                failed.sum());
        text.family("pilothouse_store_group_writes", MetricsText.Kind.HISTOGRAM, "Writes that one commit put on disk.");
        groupSizes.write(text, "pilothouse_store_group_writes", size -> (double) size);
        text.family("pilothouse_store_commit_seconds", MetricsText.Kind.HISTOGRAM, "How long commits took.");
        commitMicros.write(
                text,
                "pilothouse_store_commit_seconds",
                micros -> MetricsText.seconds(TimeUnit.MICROSECONDS.toNanos(micros)));
    }
}
