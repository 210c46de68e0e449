package io.pilothouse.store.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstantTextTest {
    private static final long FIRST = Instant.parse("-1000-01-01T00:00:00Z").getEpochSecond();
    private static final long LAST = Instant.parse("+12000-01-01T00:00:00Z").getEpochSecond();

    @Test
    void everyMomentComesBackFromItsText() {
        Random random = new Random(1);
        for (int count = 0; count < 20_000; count++) {
            int nanos = switch (count % 4) {
                case 0 -> 0;
                case 1 -> random.nextInt(1_000) * 1_000_000;
                case 2 -> random.nextInt(1_000_000) * 1_000;
                default -> random.nextInt(1_000_000_000);
            };
            Instant moment = Instant.ofEpochSecond(random.nextLong(FIRST, LAST), nanos);
            assertThat(InstantText.parse(moment.toString())).isEqualTo(moment);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "2026-02-28T23:59:59.9Z",
                "2024-02-29T00:00:00.123456789Z",
                "2026-11-21T17:00:00+01:00",
                "2026-11-21t17:00:00z",
                "2026-11-21T17:00:00.Z",
                "+12000-01-01T00:00:00Z"
            })
    void textsThatTheJdkReadsAreReadTheSame(String text) {
        assertThat(InstantText.parse(text)).isEqualTo(Instant.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Z",
                "2026-11-21T17:00:00",
                "2026-11-21T17:00:00.12a4Z",
                "2026-11-21T17:00:00.1234567890Z",
                "2026-11-21 17:00:00Z",
                "2o26-11-21T17:00:00Z",
                "2026-13-21T17:00:00Z",
                "2026-02-30T17:00:00Z",
                "2026-11-21T17:61:00Z"
            })
    void aMalformedInstantIsRefused(String text) {
        assertThatExceptionOfType(DateTimeException.class).isThrownBy(() -> InstantText.parse(text));
    }
}
