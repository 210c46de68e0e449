package io.pilothouse.store.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Moments as numbers. */
class EpochNanosTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999999999Z",
                "2026-11-21T07:51:17.123456789Z",
                "1677-09-21T00:12:44Z",
                "2262-04-11T23:47:16.854775807Z"
            })
    void momentComesBackExactly(String text) {
        Instant moment = Instant.parse(text);
        assertThat(EpochNanos.toInstant(EpochNanos.of(moment))).isEqualTo(moment);
    }

    @Test
    void momentsBeyondTheRangeAreBeforeAllOrNever() {
        assertThat(EpochNanos.of(Instant.MAX)).isEqualTo(Long.MAX_VALUE);
        assertThat(EpochNanos.of(Instant.parse("2262-04-11T23:47:16.854775808Z")))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(EpochNanos.of(Instant.MIN)).isEqualTo(Long.MIN_VALUE);
        assertThat(EpochNanos.of(Instant.parse("1600-01-01T00:00:00Z"))).isEqualTo(Long.MIN_VALUE);
    }
}
