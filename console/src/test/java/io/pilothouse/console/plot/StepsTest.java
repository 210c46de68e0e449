package io.pilothouse.console.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepsTest {
    private static final double NOTHING = Double.NaN;

    private static Instant at(int second) {
        return Instant.ofEpochSecond(second);
    }

    @Test
    void aValueStaysUntilItChangesAndTheHighestOfEachPartShows() {
        Steps steps = Steps.of(Map.of(at(10), 1.0, at(14), 7.0, at(15), 2.0, at(30), NOTHING));
        assertThat(steps.values(at(0), at(40), 4)).isEqualTo(List.of(NOTHING, 7.0, 2.0, NOTHING));
        assertThat(steps.values(at(0), at(10), 2)).isEqualTo(List.of(NOTHING, 1.0));
    }

    @Test
    void aTimeWithoutLengthIsWhatItIsThen() {
        assertThat(Steps.of(Map.of(at(10), 3.0)).values(at(10), at(10), 2)).isEqualTo(List.of(3.0, 3.0));
    }
}
