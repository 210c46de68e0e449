package io.pilothouse.core.alert;

import io.pilothouse.core.metric.MetricWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When the windows of an alert begin and end: side by side without a gap, at multiples of the interval in UTC, moved by
 * an offset or counted from {@code startAt} (whole seconds), before which there are none.
 */
public record AlertSchedule(
        AlertInterval interval, int offsetMinutes, @Nullable Instant startAt) {
    private static final int MAX_WINDOWS = 50;
    private static final Duration SHORT_REACH = Duration.ofHours(6);
    private static final Duration LONG_REACH = Duration.ofHours(24);

    /** The last edge between two windows that is not after this moment. */
    public Instant edgeAtOrBefore(Instant moment) {
        long anchor = startAt == null ? Duration.ofMinutes(offsetMinutes).toSeconds() : startAt.getEpochSecond();
        long length = interval.length().toSeconds();
        long windows = Math.floorDiv(moment.getEpochSecond() - anchor, length);
        return Instant.ofEpochSecond(anchor + windows * length);
    }

    /** Where an alert begins that is made at this moment: its first window is the one that runs then. */
    public Instant begin(Instant now) {
        Instant edge = edgeAtOrBefore(now);
        return startAt != null && startAt.isAfter(edge) ? startAt : edge;
    }

    /** When the window that begins here ends. */
    public Instant endOf(Instant start) {
        return start.plus(interval.length());
    }

    /**
     * The windows that have closed since, oldest first. What was missed is made up for where the past can be read, up to
     * a bound; otherwise only the last window is given, because a value of now says nothing about an earlier one.
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
