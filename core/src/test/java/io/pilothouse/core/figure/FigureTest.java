package io.pilothouse.core.figure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FigureTest {
    private static Figure figure(Figure.Source source, String name) {
        return new Figure(source, name, "", 1);
    }

    @ParameterizedTest
    @CsvSource({
        "EVENTS, Query, ClickHouseProfileEvents_Query, true",
        "METRICS, TCPConnection, ClickHouseMetrics_TCPConnection, false",
        "ASYNCHRONOUS_METRICS, jemalloc.resident, ClickHouseAsyncMetrics_jemalloc_resident, false",
        "ASYNCHRONOUS_METRICS, Temperature {0}-a_b, ClickHouseAsyncMetrics_Temperature__0__a_b, false",
        "ERRORS, UNKNOWN_TABLE, ClickHouseErrorMetric_UNKNOWN_TABLE, true"
    })
    void aFigureHasTheNameThatTheLiveServiceGivesIt(Figure.Source source, String name, String family, boolean counter) {
        assertThat(figure(source, name).family()).isEqualTo(family);
        assertThat(source.counter()).isEqualTo(counter);
        assertThat(source.table()).startsWith("system.");
    }

    @Test
    void aFigureIsEssentialUnderItsOwnSourceOnly() {
        assertThat(EssentialFigures.has(figure(Figure.Source.EVENTS, "FailedQuery")))
                .isTrue();
        assertThat(EssentialFigures.has(figure(Figure.Source.METRICS, "FailedQuery")))
                .isFalse();
        assertThat(EssentialFigures.has(figure(Figure.Source.ASYNCHRONOUS_METRICS, "Uptime")))
                .isTrue();
        assertThat(EssentialFigures.has(figure(Figure.Source.ERRORS, "UNKNOWN_TABLE")))
                .isFalse();
    }
}
