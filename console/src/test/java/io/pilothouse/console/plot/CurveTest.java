package io.pilothouse.console.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CurveTest {
    private static final double GAP = Double.NaN;

    @Test
    void aPathGoesFromTheLeftEdgeToTheRightAndFromZeroToTheHighest() {
        assertThat(Curve.of(List.of(0.0, 5.0, 10.0)).path(100, 20)).isEqualTo("M0 19L50 10L100 1");
        assertThat(Curve.of(List.of(10.0, 10.0)).path(100, 20)).isEqualTo("M0 1L100 1");
    }

    @Test
    void valuesBelowZeroHaveTheirPlace() {
        assertThat(Curve.of(List.of(-10.0, 0.0, 10.0)).path(100, 20)).isEqualTo("M0 19L50 10L100 1");
        assertThat(Curve.of(List.of(-10.0, -5.0)).path(100, 20)).isEqualTo("M0 19L100 10");
    }

    @Test
    void aGapIsNotDrawnAndWhatStandsAloneIsADot() {
        assertThat(Curve.of(List.of(1.0, GAP, 1.0, 1.0)).path(30, 10)).isEqualTo("M0 1h0M20 1L30 1");
        assertThat(Curve.of(List.of(1.0)).path(30, 10)).isEqualTo("M0 1h0");
        assertThat(Curve.of(List.of(Double.POSITIVE_INFINITY, GAP)).path(30, 10))
                .isEmpty();
    }

    @Test
    void zeroIsAtTheBottom() {
        assertThat(Curve.of(List.of(0.0, 0.0)).path(10, 10)).isEqualTo("M0 9L10 9");
    }

    @Test
    void aSmallPictureHasTheHighestOfSeveralValues() {
        Curve curve = Curve.of(List.of(9.0, 1.0, 2.0, GAP, GAP, GAP, 5.0)).thinned(4);
        assertThat(curve.path(30, 12)).isEqualTo("M0 1L10 9M30 5h0");
        assertThat(Curve.of(List.of()).thinned(4).isEmpty()).isTrue();
        assertThat(Curve.of(Collections.nCopies(60, 1.0))
                        .thinned(30)
                        .path(60, 18)
                        .length())
                .isLessThan(200);
    }

    @ParameterizedTest
    @CsvSource({
        "PLAIN, 0, 0",
        "PLAIN, 12, 12",
        "PLAIN, 1234567, 1.23 M",
        "PLAIN, -1500, -1.5 k",
        "PER_SECOND, 0.01666, 0.0167/s",
        "PER_SECOND, 999.4, 999/s",
        "BYTES, 1023, 1023 B",
        "BYTES, 1536, 1.5 KiB",
        "BYTES, 3e18, 2665 PiB",
        "BYTES_PER_SECOND, 2048, 2 KiB/s",
        "MILLIS, 3.14159, 3.14 ms",
        "MILLIS, 61000, 61 s",
        "MILLIS, NaN, –"
    })
    void aNumberIsShortAndHasItsUnit(Measure measure, double number, String shown) {
        assertThat(measure.shown(number)).isEqualTo(shown);
    }
}
