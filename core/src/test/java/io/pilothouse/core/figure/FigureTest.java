package io.pilothouse.core.figure;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.PlanScene;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FigureTest {
    private static final Executor HERE = Runnable::run;
    private static final Figure QUERIES = figure(Figure.Source.EVENTS, "Query");

    private static Figure figure(Figure.Source source, String name) {
        return new Figure(source, name, "", 1);
    }

    private static Service service(Condition seen) {
        return PlanScene.of(Wish.RUN, seen, seen).service();
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

    @Test
    void onlyADatabaseThatRunsIsAskedAndTheOrderIsKept() {
        Service stopped = service(Condition.STOPPED);
        Service running = service(Condition.RUNNING);
        List<Service> asked = new ArrayList<>();
        DatabaseFigures databases = (service, atMost) -> {
            asked.add(service);
            return Optional.of(List.of(QUERIES));
        };
        assertThat(new FigureRound(databases, HERE).read(List.of(stopped, running)))
                .containsExactly(
                        new FigureRound.Reading(stopped, List.of(), false),
                        new FigureRound.Reading(running, List.of(QUERIES), false));
        assertThat(asked).containsExactly(running);
    }

    @Test
    void aDatabaseThatStoppedMeanwhileHasNoFiguresAndThatIsNoFailure() {
        Service running = service(Condition.RUNNING);
        assertThat(new FigureRound((service, atMost) -> Optional.empty(), HERE).read(List.of(running)))
                .containsExactly(new FigureRound.Reading(running, List.of(), false));
    }

    @Test
    void aDatabaseThatDoesNotAnswerFailsAloneInItsRound() {
        Service silent = service(Condition.RUNNING);
        Service running = PlanScene.secondary(silent);
        DatabaseFigures databases = (service, atMost) -> {
            if (service.equals(silent)) {
                throw new PlaneFault("It does not answer");
            }
            return Optional.of(List.of(QUERIES));
        };
        assertThat(new FigureRound(databases, HERE).read(List.of(silent, running)))
                .containsExactly(
                        new FigureRound.Reading(silent, List.of(), true),
                        new FigureRound.Reading(running, List.of(QUERIES), false));
    }

    @Test
    void nobodyIsAskedOnceTheTimeOfTheRoundIsOver() {
        List<Service> asked = new ArrayList<>();
        DatabaseFigures databases = (service, atMost) -> {
            asked.add(service);
            return Optional.empty();
        };
        Service running = service(Condition.RUNNING);
        assertThat(new FigureRound(databases, HERE, Duration.ZERO).read(List.of(running)))
                .containsExactly(new FigureRound.Reading(running, List.of(), true));
        assertThat(asked).isEmpty();
    }

    @Test
    void eachDatabaseHasAShortWhileAndNeverMoreThanIsLeftOfTheRound() {
        List<Duration> given = new ArrayList<>();
        DatabaseFigures databases = (service, atMost) -> {
            given.add(atMost);
            return Optional.empty();
        };
        List<Service> running = List.of(service(Condition.RUNNING));
        new FigureRound(databases, HERE, Duration.ofHours(1)).read(running);
        new FigureRound(databases, HERE, Duration.ofMillis(1900)).read(running);
        assertThat(given).hasSize(2);
        assertThat(given.getFirst()).isEqualTo(Duration.ofSeconds(2));
        assertThat(given.getLast()).isPositive().isLessThanOrEqualTo(Duration.ofMillis(1900));
    }
}
