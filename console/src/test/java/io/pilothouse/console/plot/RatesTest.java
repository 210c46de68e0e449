package io.pilothouse.console.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class RatesTest {
    private final Rates rates = new Rates();

    private double seen(long second, double count) {
        return rates.perSecond("a", Instant.EPOCH.plusSeconds(second), count);
    }

    @Test
    void aRateIsKnownOnceACounterWasSeenTwiceAndIsThatOfTheLastMinute() {
        assertThat(seen(0, 100)).isNaN();
        assertThat(seen(1, 110)).isNaN();
        assertThat(seen(10, 200)).isEqualTo(10);
        assertThat(seen(13, 230)).isEqualTo(10);
        assertThat(seen(20, 300)).isEqualTo(10);
        assertThat(seen(79, 300)).isEqualTo(0);
        assertThat(rates.perSecond("b", Instant.EPOCH, 5)).isNaN();
    }

    @Test
    void aCounterThatBeganAgainIsCountedFromThereOn() {
        seen(0, 100);
        assertThat(seen(5, 3)).isNaN();
        assertThat(seen(10, 8)).isEqualTo(1);
    }

    @Test
    void theCounterThatNobodyLookedAtForLongestIsForgotten() {
        seen(0, 0);
        for (int at = 0; at < Rates.MAX_COUNTERS; at++) {
            rates.perSecond("other " + at, Instant.EPOCH, 0);
        }
        assertThat(seen(10, 10)).isNaN();
    }
}
