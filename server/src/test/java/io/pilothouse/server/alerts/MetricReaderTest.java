package io.pilothouse.server.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Archive;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.Backup.Trigger;
import io.pilothouse.core.metric.Metric;
import io.pilothouse.core.metric.Metric.Aggregation;
import io.pilothouse.core.metric.MetricReader;
import io.pilothouse.core.metric.MetricReading;
import io.pilothouse.core.metric.MetricWindow;
import io.pilothouse.core.metric.Tile;
import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.core.service.Service;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The values of tiles, over rows that are really there. */
class MetricReaderTest {
    @TempDir
    private Path folder;

    private AlertWorld world;
    private Instant start;

    @BeforeEach
    void open() {
        world = new AlertWorld(folder);
        start = world.time.now();
    }

    @AfterEach
    void close() {
        world.close();
    }

    private MetricReading read(
            Metric metric, Aggregation aggregation, Map<String, String> filter, @Nullable String groupBy) {
        Tile.Config config = new Tile.Config("number", metric, aggregation, filter, groupBy);
        MetricWindow window = new MetricWindow(start, start.plus(Duration.ofMinutes(5)));
        return world.store()
                .read(tables -> new MetricReader(world.pipes).read(tables, world.organizationId, config, window));
    }

    private static MetricReading values(Map<String, Double> byGroup) {
        return new MetricReading.Values(byGroup, true);
    }

    private static MetricReading whole(double value) {
        return values(Map.of(MetricReading.WHOLE, value));
    }

    private MetricReading services(Map<String, String> filter, @Nullable String groupBy) {
        return read(Metric.SERVICES, Aggregation.LAST, filter, groupBy);
    }

    @Test
    void servicesAreCountedByTheirState() {
        world.service();
        Service broken = world.service();
        world.breaks(broken);
        assertThat(services(Map.of(), null)).isEqualTo(whole(2));
        assertThat(services(Map.of("state", "running"), null)).isEqualTo(whole(1));
        assertThat(services(Map.of("state", "running,degraded,stopped"), "state"))
                .isEqualTo(values(Map.of("state:running", 1.0, "state:degraded", 1.0, "state:stopped", 0.0)));
        assertThat(services(Map.of("state", "degraded"), "service"))
                .isEqualTo(values(Map.of("service:" + broken.id(), 1.0)));
    }

    @Test
    void oneServiceCountsAsOneWhileItIsInAWantedState() {
        Service service = world.service();
        Map<String, String> degraded =
                Map.of("state", "degraded", "service", service.id().toString());
        assertThat(services(degraded, null)).isEqualTo(whole(0));
        assertThat(services(degraded, "service")).isEqualTo(values(Map.of()));
        assertThat(services(degraded, "state")).isEqualTo(values(Map.of("state:degraded", 0.0)));
        world.breaks(service);
        assertThat(services(degraded, null)).isEqualTo(whole(1));
        assertThat(services(degraded, "service")).isEqualTo(values(Map.of("service:" + service.id(), 1.0)));
        world.removes(service);
        assertThat(services(degraded, null)).isEqualTo(values(Map.of()));
    }

    @Test
    void lastFinishedBackupIsAsOldAsItsEnd() {
        Service service = world.service();
        Backup older = Backup.of(service, UUID.randomUUID(), Trigger.DEMAND, start.minusSeconds(900));
        Backup newer = Backup.of(service, UUID.randomUUID(), Trigger.SCHEDULE, start.minusSeconds(600));
        Backup running = Backup.of(service, UUID.randomUUID(), Trigger.DEMAND, start);
        assertThat(read(Metric.BACKUP_AGE_SECONDS, Aggregation.LAST, Map.of(), null))
                .isEqualTo(new MetricReading.Nothing());
        world.store().write(tables -> {
            tables.of(Backup.KIND).insert(older.done(Archive.of(1), start.minusSeconds(890)));
            tables.of(Backup.KIND).insert(newer.done(Archive.of(1), start.minusSeconds(500)));
            return tables.of(Backup.KIND).insert(running);
        });
        assertThat(read(Metric.BACKUP_AGE_SECONDS, Aggregation.LAST, Map.of(), null))
                .isEqualTo(whole(800));
    }

    private static Map<String, Double> byPipe(UUID pipe, double value) {
        return Map.of("pipe:" + pipe, value);
    }

    @Test
    void whatWorkersReportedIsReadForEachPipeOrAsTheGreatest() {
        UUID slow = world.moves(Map.of(PipeFigure.LAG_SECONDS, 900L, PipeFigure.ERROR_PERCENT, 2L));
        UUID fast = world.moves(Map.of(PipeFigure.LAG_SECONDS, 1L, PipeFigure.SLOT_MEBIBYTES, 7L));
        assertThat(read(Metric.PIPE_LAG_SECONDS, Aggregation.LAST, Map.of(), "pipe"))
                .isEqualTo(values(Map.of("pipe:" + slow, 900.0, "pipe:" + fast, 1.0)));
        assertThat(read(Metric.PIPE_LAG_SECONDS, Aggregation.LAST, Map.of(), null))
                .isEqualTo(whole(900));
        assertThat(read(Metric.PIPE_LAG_SECONDS, Aggregation.LAST, Map.of("pipe", fast.toString()), null))
                .isEqualTo(whole(1));
        assertThat(read(Metric.PIPE_ERROR_PERCENT, Aggregation.LAST, Map.of(), "pipe"))
                .isEqualTo(values(byPipe(slow, 2)));
        assertThat(read(Metric.PIPE_SLOT_MIB, Aggregation.LAST, Map.of(), "pipe"))
                .isEqualTo(values(byPipe(fast, 7)));
        assertThat(read(Metric.PIPE_LAG_RECORDS, Aggregation.LAST, Map.of(), null))
                .isEqualTo(new MetricReading.Nothing());
    }

    @Test
    void nobodySeesThePipesOfAnother() {
        UUID pipe = world.moves(Map.of(PipeFigure.LAG_SECONDS, 900L));
        MetricWindow window = new MetricWindow(start, start.plusSeconds(60));
        for (Map<String, String> filter : List.of(Map.<String, String>of(), Map.of("pipe", pipe.toString()))) {
            Tile.Config config = new Tile.Config("number", Metric.PIPE_LAG_SECONDS, Aggregation.LAST, filter, "pipe");
            MetricReading foreign = world.store()
                    .read(tables -> new MetricReader(world.pipes).read(tables, UUID.randomUUID(), config, window));
            assertThat(foreign).isEqualTo(values(Map.of()));
        }
    }

    @Test
    void nobodySeesTheServicesOfAnother() {
        Service service = world.service();
        Tile.Config config = new Tile.Config(
                "number",
                Metric.SERVICES,
                Aggregation.LAST,
                Map.of("service", service.id().toString()),
                null);
        MetricWindow window = new MetricWindow(start, start.plusSeconds(60));
        MetricReading foreign = world.store()
                .read(tables -> new MetricReader(world.pipes).read(tables, UUID.randomUUID(), config, window));
        assertThat(foreign).isEqualTo(values(Map.of()));
    }

    @Test
    void moreGroupsThanAreWatchedAreReportedAsSuch() {
        for (int i = 0; i < 501; i++) {
            world.service();
        }
        assertThat(services(Map.of("state", "running"), "service"))
                .isInstanceOfSatisfying(MetricReading.Values.class, values -> {
                    assertThat(values.byGroup()).hasSize(500);
                    assertThat(values.complete()).isFalse();
                });
    }

    @Test
    void tasksThatFailAreCountedByWhatTheyAreAbout() {
        world.breaks(world.service());
        world.service();
        assertThat(read(Metric.FAILING_TASKS, Aggregation.LAST, Map.of(), null)).isEqualTo(whole(1));
        assertThat(read(Metric.FAILING_TASKS, Aggregation.LAST, Map.of(), "kind"))
                .isEqualTo(values(Map.of("kind:service", 1.0, "kind:pipe", 0.0)));
        assertThat(read(Metric.PIPES, Aggregation.LAST, Map.of(), null)).isEqualTo(whole(0));
        assertThat(read(Metric.PIPES, Aggregation.LAST, Map.of("state", "Failed"), "pipe"))
                .isEqualTo(values(Map.of()));
    }

    @ParameterizedTest
    @CsvSource({"SUM, 9", "LAST, 4", "MIN, 0", "MAX, 5", "AVG, 1.8"})
    void requestsAreAggregatedOverTheMinutesOfTheWindow(Aggregation aggregation, double expected) {
        world.counts("requests.5xx", start, 3);
        world.counts("requests.4xx", start, 2);
        world.counts("requests.5xx", start.plus(Duration.ofMinutes(4)), 4);
        world.counts("requests.5xx", start.plus(Duration.ofMinutes(5)), 100);
        assertThat(read(Metric.REQUESTS, aggregation, Map.of("status", "4xx,5xx"), null))
                .isEqualTo(whole(expected));
    }

    @Test
    void requestsAreSplitByTheirStatus() {
        world.counts("requests.5xx", start, 3);
        assertThat(read(Metric.REQUESTS, Aggregation.SUM, Map.of("status", "4xx,5xx"), "status"))
                .isEqualTo(values(Map.of("status:4xx", 0.0, "status:5xx", 3.0)));
    }
}
