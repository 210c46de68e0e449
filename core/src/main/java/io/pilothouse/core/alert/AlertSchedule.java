package io.pilothouse.core.alert;

import io.pilothouse.core.metric.MetricWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When the windows of an alert begin and end: adjacent, at multiples of the interval in UTC, shifted by an offset or
 * counted from {@code startAt} (whole seconds), before which there are none.
 */
public record AlertSchedule(
        AlertInterval interval, int offsetMinutes, @Nullable Instant startAt) {
    private static final int MAX_WINDOWS = 50;
    private static final Duration SHORT_REACH = Duration.ofHours(6);
    private static final Duration LONG_REACH = Duration.ofHours(24);

    /** The last boundary between two windows that is not after this moment. */
    public Instant edgeAtOrBefore(Instant moment) {
        long anchor = startAt == null ? Duration.ofMinutes(offsetMinutes).toSeconds() : startAt.getEpochSecond();
        long length = interval.length().toSeconds();
        long windows = Math.floorDiv(moment.getEpochSecond() - anchor, length);
        return Instant.ofEpochSecond(anchor + windows * length);
    }

    /** The beginning for an alert that is created at this moment: its first window is the current one. */
    public Instant begin(Instant now) {
        Instant edge = edgeAtOrBefore(now);
        return startAt != null && startAt.isAfter(edge) ? startAt : edge;
    }

    /** The end of the window that begins here. */
    public Instant endOf(Instant start) {
        return start.plus(interval.length());
    }

    /**
     * The windows that have closed since, oldest first. Missed windows are included, up to a bound, if the past can be
     * read; otherwise only the last one is, because a present value says nothing about an earlier window.
     */
    public List<MetricWindow> closed(Instant since, Instant now, boolean readsThePast) {
        Instant last = edgeAtOrBefore(now);
        Duration reach = interval.minutes() < AlertInterval.QUARTER_HOUR.minutes() ? SHORT_REACH : LONG_REACH;
        int most = readsThePast ? Math.clamp(reach.toMinutes() / interval.minutes(), 1, MAX_WINDOWS) : 1;
        Instant earliest = last.minus(Duration.ofMinutes((long) most * interval.minutes()));
        Instant start = since.isAfter(earliest) ? since : earliest;
        List<MetricWindow> windows = new ArrayList<>();
        while (start.isBefore(last)) {
            windows.add(new MetricWindow(start, endOf(start)));
            start = endOf(start);
        }
        return List.copyOf(windows);
    }
}
