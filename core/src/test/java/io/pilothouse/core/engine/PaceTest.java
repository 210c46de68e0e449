package io.pilothouse.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaceTest {
    @ParameterizedTest
    @CsvSource({"0, 1000", "1, 2000", "3, 8000", "6, 64000", "7, 120000", "8, 120000", "2147483647, 120000"})
    void pausesDoubleUpToACeiling(int tries, long millis) {
        assertThat(Pace.USUAL.backOff(tries, 1.0)).isEqualTo(Duration.ofMillis(millis));
        assertThat(Pace.USUAL.backOff(tries, 0.0)).isEqualTo(Duration.ofMillis(millis / 2));
    }

    @ParameterizedTest
    @CsvSource({"0, 60", "59, 60", "600, 600", "3600, 3600", "86400, 3600"})
    void aTaskSettledForLongPausesForUpToAnHour(long settledSeconds, long napSeconds) {
        Instant since = Instant.parse("2026-01-01T00:00:00Z");
        Instant now = since.plusSeconds(settledSeconds);
        assertThat(Pace.USUAL.nap(since, now, 1.0)).isEqualTo(Duration.ofSeconds(napSeconds));
        assertThat(Pace.USUAL.nap(since, now, 0.5)).isEqualTo(Duration.ofMillis(napSeconds * 950));
        assertThat(Pace.USUAL.nap(since, now, 0.0)).isEqualTo(Duration.ofMillis(napSeconds * 900));
    }

    @Test
    void fewLooksFindTheEndOfAnything() {
        Instant since = Instant.parse("2026-01-01T00:00:00Z");
        Instant now = since;
        long looks = 0;
        while (now.isBefore(since.plusSeconds(30))) {
            now = Pace.USUAL.nextLook(since, now);
            looks++;
        }
        assertThat(looks).isLessThanOrEqualTo(16);
    }

    @ParameterizedTest
    @CsvSource({"1, 1 second", "59, 59 seconds", "60, 1 minute", "90, 90 seconds", "600, 10 minutes", "0, 0 seconds"})
    void durationsReadLikeSentences(int seconds, String words) {
        assertThat(TimeLimit.words(Duration.ofSeconds(seconds))).isEqualTo(words);
    }
}
