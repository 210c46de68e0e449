package io.pilothouse.http.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.figure.DatabaseFigures;
import io.pilothouse.core.figure.Figure;
import io.pilothouse.core.figure.FigureRound;
import io.pilothouse.core.pipe.progress.PipeProgress;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.testkit.ServiceSample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What databases say, as those who watch read it. */
class PrometheusTextTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final UUID ORGANIZATION = UUID.fromString("11111111-2222-4333-8444-555555555555");
    private static final Figure QUERIES = new Figure(Figure.Source.EVENTS, "Query", "Queries", 7);
    private static final Figure ODD = new Figure(Figure.Source.METRICS, "Odd", "A \\ and\na \"line\"", 0.5);

    private final Service one = running("00000000-0000-4000-8000-000000000001");
    private final Service other = running("00000000-0000-4000-8000-000000000002");

    private static Service running(String id) {
        return ServiceSample.wanted(UUID.fromString(id), ORGANIZATION, NOW)
                .withSeen(new Seen(Condition.RUNNING, true, "25.8", null, NOW));
    }

    private static List<FigureRound.Reading> read(DatabaseFigures databases, Service... services) {
        return new FigureRound(databases, Runnable::run).read(List.of(services));
    }

    private static List<String> families(PrometheusText text) {
        StringBuilder all = new StringBuilder();
        text.families(all::append);
        return all.toString().lines().toList();
    }

    private static String labels(Service service) {
        String id = service.id().toString();
        String replica = "server-" + id.substring(24) + "-0";
        return "clickhouse_org=\"" + ORGANIZATION + "\",clickhouse_service=\"" + id
                + "\",clickhouse_service_name=\"Service 00000000\",hostname=\"" + replica + "\",instance=\""
                + replica + "\"";
    }

    @Test
    void aFamilyIsWrittenTogetherHoweverTheServicesCame() {
        PrometheusText text = new PrometheusText(PipeProgress.NONE, false);
        DatabaseFigures databases = (service, atMost) -> Optional.of(List.of(QUERIES, ODD));
        text.services(read(databases, one), true);
        text.services(read(databases, other), false);
        assertThat(families(text))
                .containsExactly(
                        "# HELP ClickHouseMetrics_Odd A \\\\ and\\na \"line\"",
                        "# TYPE ClickHouseMetrics_Odd gauge",
                        "ClickHouseMetrics_Odd{" + labels(one) + ",table=\"system.metrics\"} 0.5",
                        "ClickHouseMetrics_Odd{" + labels(other) + ",table=\"system.metrics\"} 0.5",
                        "# HELP ClickHouseProfileEvents_Query Queries",
                        "# TYPE ClickHouseProfileEvents_Query counter",
                        "ClickHouseProfileEvents_Query{" + labels(one) + ",table=\"system.events\"} 7",
                        "ClickHouseProfileEvents_Query{" + labels(other) + ",table=\"system.events\"} 7");
    }

    @Test
    void fewerFiguresAreTheEssentialOnes() {
        PrometheusText text = new PrometheusText(PipeProgress.NONE, true);
        text.services(read((service, atMost) -> Optional.of(List.of(QUERIES, ODD)), one), true);
        assertThat(families(text)).hasSize(3).allMatch(line -> line.contains("ClickHouseProfileEvents_Query"));
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsPartial() {
        PrometheusText text = new PrometheusText(PipeProgress.NONE, false);
        String services = text.services(
                read(
                        (service, atMost) -> {
                            if (service.equals(one)) {
                                throw new PlaneFault("It is silent");
                            }
                            return Optional.of(List.of(QUERIES));
                        },
                        one,
                        other),
                true);
        assertThat(services.lines().filter(line -> line.contains("scrape=\"partial\"")))
                .singleElement()
                .asString()
                .contains(one.id().toString());
        assertThat(services.lines().filter(line -> line.contains("scrape=\"full\"")))
                .singleElement()
                .asString()
                .contains(other.id().toString());
        assertThat(families(text)).hasSize(3);
    }

    @Test
    void onlyDatabasesThatRunAreAskedAndNoneForLong() {
        List<Duration> asked = new ArrayList<>();
        DatabaseFigures databases = (service, atMost) -> {
            asked.add(atMost);
            return Optional.empty();
        };
        Service asleep = one.withSeen(new Seen(Condition.STOPPED, true, "25.8", null, NOW));
        assertThat(read(databases, asleep, other)).noneMatch(FigureRound.Reading::failed);
        assertThat(asked)
                .singleElement()
                .satisfies(each -> assertThat(each).isLessThanOrEqualTo(Duration.ofSeconds(2)));
    }

    @Test
    void onceTheTimeIsUpNobodyIsAsked() {
        DatabaseFigures databases = (service, atMost) -> {
            throw new AssertionError("must not be asked");
        };
        FigureRound late = new FigureRound(databases, Runnable::run, Duration.ZERO);
        assertThat(late.read(List.of(one, other))).allMatch(FigureRound.Reading::failed);
    }
}
