package io.pilothouse.core.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.metric.MetricWindow;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlertScheduleTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "1m, 0, 2026-03-01T12:00:59.999Z, 2026-03-01T12:00:00Z",
        "5m, 0, 2026-03-01T12:04:59Z, 2026-03-01T12:00:00Z",
        "5m, 0, 2026-03-01T12:05:00Z, 2026-03-01T12:05:00Z",
        "15m, 7, 2026-03-01T12:05:00Z, 2026-03-01T11:52:00Z",
        "1h, 59, 2026-03-01T12:58:59Z, 2026-03-01T11:59:00Z",
        "1d, 0, 2026-03-01T23:59:59Z, 2026-03-01T00:00:00Z",
        "1d, 90, 2026-03-01T01:29:59Z, 2026-02-28T01:30:00Z",
        "1h, 0, 1969-12-31T23:30:00Z, 1969-12-31T23:00:00Z"
    })
    void edgesLieAtMultiplesOfTheIntervalInUtc(String interval, int offset, Instant moment, Instant edge) {
        assertThat(schedule(interval, offset, null).edgeAtOrBefore(moment)).isEqualTo(edge);
    }

    @Test
    void aStartMovesTheEdgesAndThereIsNothingBeforeIt() {
        Instant start = Instant.parse("2026-03-01T12:03:30Z");
        AlertSchedule schedule = schedule("5m", 0, start);

        assertThat(schedule.edgeAtOrBefore(Instant.parse("2026-03-01T12:09:00Z")))
                .isEqualTo(Instant.parse("2026-03-01T12:08:30Z"));
        assertThat(schedule.begin(NOON)).isEqualTo(start);
        assertThat(schedule.begin(start.plusSeconds(301))).isEqualTo(start.plusSeconds(300));
        assertThat(schedule.closed(start, NOON, true)).isEmpty();
    }

    @Test
    void aWindowIsThereOnceItHasClosed() {
        AlertSchedule schedule = schedule("5m", 0, null);

        assertThat(schedule.closed(NOON, NOON.plusSeconds(299), true)).isEmpty();
        assertThat(schedule.closed(NOON, NOON.plusSeconds(300), true))
                .containsExactly(new MetricWindow(NOON, NOON.plusSeconds(300)));
        assertThat(schedule.endOf(NOON)).isEqualTo(NOON.plusSeconds(300));
    }

    @Test
    void missedWindowsFollowEachOtherWithoutAGap() {
        List<MetricWindow> windows = schedule("15m", 0, null).closed(NOON, NOON.plusSeconds(3600), true);

        assertThat(windows).hasSize(4);
        for (int i = 1; i < windows.size(); i++) {
            assertThat(windows.get(i).from()).isEqualTo(windows.get(i - 1).to());
        }
    }

    @ParameterizedTest
    @CsvSource({"1m, 50", "5m, 50", "15m, 50", "30m, 48", "1h, 24", "6h, 4", "12h, 2", "1d, 1"})
    void makingUpForThePastIsBounded(String interval, int windows) {
        AlertSchedule schedule = schedule(interval, 0, null);

        List<MetricWindow> closed = schedule.closed(NOON.minusSeconds(864_000), NOON, true);

        assertThat(closed).hasSize(windows);
        assertThat(closed.getLast().to()).isEqualTo(schedule.edgeAtOrBefore(NOON));
    }

    @Test
    void aGaugeIsOnlyReadForTheLastWindow() {
        assertThat(schedule("1m", 0, null).closed(NOON, NOON.plusSeconds(3600), false))
                .containsExactly(new MetricWindow(NOON.plusSeconds(3540), NOON.plusSeconds(3600)));
    }

    @Test
    void everyIntervalHasItsWord() {
        assertThat(AlertInterval.WORDS.words()).containsExactly("1m", "5m", "15m", "30m", "1h", "6h", "12h", "1d");
        assertThat(AlertInterval.find("30s")).isEmpty();
    }

    private static AlertSchedule schedule(String interval, int offset, @Nullable Instant start) {
        return new AlertSchedule(AlertInterval.find(interval).orElseThrow(), offset, start);
    }
}
