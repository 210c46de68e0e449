package io.pilothouse.store;

import io.pilothouse.core.port.MetricPoints;
import io.pilothouse.store.rows.EpochNanos;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Counts by the minute in one transaction. */
final class MetricPointTable implements MetricPoints {
    static final String ADD = """
        INSERT INTO metric_points (organization_id, series, minute, count) VALUES (?, ?, ?, ?)
        ON CONFLICT (organization_id, series, minute) DO UPDATE SET count = metric_points.count + excluded.count\
        """;
    static final String LIST = """
        SELECT minute, count FROM metric_points
        WHERE organization_id = ? AND series = ? AND minute >= ? AND minute < ? ORDER BY minute\
        """;
    static final String FORGET = """
        DELETE FROM metric_points WHERE (organization_id, series, minute) IN
            (SELECT organization_id, series, minute FROM metric_points WHERE minute < ? ORDER BY minute LIMIT ?)\
        """;

    private final Transaction transaction;

    MetricPointTable(Transaction transaction) {
        this.transaction = transaction;
    }

    @Override
    public void add(UUID organizationId, String series, Instant minute, long count) {
        transaction.change(ADD, organizationId.toString(), series, EpochNanos.of(minute), count);
    }

    @Override
    public List<Point> list(UUID organizationId, String series, Instant from, Instant to) {
        return transaction.list(
                LIST,
                row -> new Point(EpochNanos.toInstant(row.getLong(1)), row.getLong(2)),
                organizationId.toString(),
                series,
                EpochNanos.of(from),
                EpochNanos.of(to));
    }

    @Override
    public int forget(Instant before, int limit) {
        return transaction.change(FORGET, EpochNanos.of(before), limit);
    }
}
