package io.pilothouse.core.port;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Counts by organization, series and minute, added up by every process that counts. */
public interface MetricPoints {
    /** Adds to a minute, which is truncated already. */
    void add(UUID organizationId, String series, Instant minute, long count);

    /** The minutes in {@code [from, to)} in which something was counted, oldest first. */
    List<Point> list(UUID organizationId, String series, Instant from, Instant to);

    /** Forgets at most {@code limit} minutes before this moment and says how many went. */
    int forget(Instant before, int limit);

    /** The counts of one minute. */
    record Point(Instant minute, long count) {}
}
