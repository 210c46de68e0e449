package io.pilothouse.core.alert;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlertThresholdTest {
    @ParameterizedTest
    @CsvSource({
        // type, just below 5, at 5, just above 5
        "above, false, true, true",
        "below, true, false, false",
        "above_exclusive, false, false, true",
        "below_or_equal, true, true, false",
        "equal, false, true, false",
        "not_equal, true, false, true"
    })
    void theEdgeBelongsToWhatTheTypeSays(String word, boolean below, boolean at, boolean above) {
        AlertThreshold threshold =
                new AlertThreshold(AlertThreshold.Type.find(word).orElseThrow(), 5, null);

        assertThat(threshold.isViolatedBy(Math.nextDown(5.0))).isEqualTo(below);
        assertThat(threshold.isViolatedBy(5)).isEqualTo(at);
        assertThat(threshold.isViolatedBy(Math.nextUp(5.0))).isEqualTo(above);
    }

    @ParameterizedTest
    @CsvSource({
        "between, 4.999, false", "between, 5, true", "between, 7, true", "between, 7.001, false",
        "not_between, 4.999, true", "not_between, 5, false", "not_between, 7, false", "not_between, 7.001, true"
    })
    void bothEndsBelongToTheRange(String word, double value, boolean violated) {
        assertThat(new AlertThreshold(AlertThreshold.Type.find(word).orElseThrow(), 5, 7.0).isViolatedBy(value))
                .isEqualTo(violated);
    }

    @Test
    void aRangeWithoutAnEndIsAPoint() {
        AlertThreshold point = new AlertThreshold(AlertThreshold.Type.BETWEEN, 5, null);

        assertThat(point.isViolatedBy(5)).isTrue();
        assertThat(point.isViolatedBy(5.1)).isFalse();
    }

    @Test
    void everyTypeHasItsWords() {
        assertThat(AlertThreshold.Type.values())
                .extracting(type -> new AlertThreshold(type, 5, type.isRange() ? 7.5 : null).words())
                .containsExactly(
                        "at or above 5",
                        "below 5",
                        "above 5",
                        "at or below 5",
                        "equal to 5",
                        "not equal to 5",
                        "between 5 and 7.5",
                        "not between 5 and 7.5");
        assertThat(AlertThreshold.Type.find("ABOVE")).isEmpty();
    }

    @Test
    void numbersAreWrittenAsPeopleDo() {
        assertThat(AlertThreshold.plain(1_000_000)).isEqualTo("1000000");
        assertThat(AlertThreshold.plain(0.1)).isEqualTo("0.1");
        assertThat(AlertThreshold.plain(-0.0)).isEqualTo("0");
    }
}
