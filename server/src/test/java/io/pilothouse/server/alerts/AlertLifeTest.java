package io.pilothouse.server.alerts;

import static io.pilothouse.server.alerts.AlertWorld.failedServices;
import static io.pilothouse.server.alerts.AlertWorld.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertBuiltIns;
import io.pilothouse.core.alert.AlertChannel;
import io.pilothouse.core.alert.AlertError;
import io.pilothouse.core.alert.AlertEvaluation;
import io.pilothouse.core.alert.AlertInterval;
import io.pilothouse.core.alert.AlertSetup;
import io.pilothouse.core.alert.AlertSilence;
import io.pilothouse.core.alert.AlertState;
import io.pilothouse.core.alert.Dashboard;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.metric.Metric;
import io.pilothouse.core.metric.MetricReader;
import io.pilothouse.core.metric.MetricReading;
import io.pilothouse.core.metric.MetricWindow;
import io.pilothouse.core.metric.Tile;
import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.core.pipe.progress.PipeProgress;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.testkit.WatchedStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlertLifeTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final AlertChannel ACTIVITIES = new AlertChannel.ToActivities();
    private static final Tile.Config FAILING_REQUESTS =
            new Tile.Config("line", Metric.REQUESTS, Metric.Aggregation.SUM, Map.of("status", "5xx"), null);

    @TempDir
    private Path folder;

    private AlertWorld world;

    @BeforeEach
    void open() {
        world = new AlertWorld(folder);
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aServiceThatFailsIsReportedAndSoIsItsRecovery() {
        Service service = world.service();
        Webhook webhook = world.webhook();
        Alert alert = world.alert(failedServices(Map.of(), "service"), to(webhook));
        Dispatcher engine = world.engine();

        world.run(engine, MINUTE.multipliedBy(2));
        assertThat(world.received()).isEmpty();
        assertThat(world.alert(alert.id()).state()).isEqualTo(AlertState.INACTIVE);

        world.breaks(service);
        world.run(engine, MINUTE.multipliedBy(3));
        assertThat(world.alert(alert.id()).state()).isEqualTo(AlertState.FIRING);
        assertThat(world.received()).containsExactly("firing service:" + service.id());

        world.heals(service);
        world.run(engine, MINUTE.multipliedBy(3));
        assertThat(world.alert(alert.id()).state()).isEqualTo(AlertState.INACTIVE);
        assertThat(world.received())
                .containsExactly("firing service:" + service.id(), "resolved service:" + service.id());
        assertThat(world.history(alert))
                .extracting(AlertEvaluation::state)
                .containsExactly(AlertState.FIRING, AlertState.INACTIVE);
        assertThat(world.deliveriesWaiting()).isZero();
    }

    @Test
    void aDeletedAlertFiresNoLonger() {
        Service service = world.service();
        Alert grouped = world.alert(failedServices(Map.of(), "service"), to(world.webhook()));
        Alert single = world.alert(
                failedServices(Map.of("service", service.id().toString()), ""),
                to(world.webhook("Other", world.receiver.url())));
        Dispatcher engine = world.engine();
        world.breaks(service);
        world.run(engine, MINUTE.multipliedBy(2));
        assertThat(world.received()).hasSize(2).allMatch(message -> message.startsWith("firing"));

        world.removes(service);
        world.run(engine, MINUTE.multipliedBy(2));

        assertThat(world.received()).hasSize(4);
        assertThat(world.alert(grouped.id()).state()).isEqualTo(AlertState.INACTIVE);
        assertThat(world.alert(single.id()).state()).isEqualTo(AlertState.INACTIVE);
        assertThat(world.alert(grouped.id()).watch().groups()).isEmpty();
    }

    @Test
    void itTakesAsManyWindowsInARowAsWereAskedFor() {
        Service service = world.service();
        Alert alert = world.alert(failedServices(Map.of(), ""), AlertInterval.ONE_MINUTE, 3, to(world.webhook()));
        Dispatcher engine = world.engine();
        world.breaks(service);

        world.run(engine, MINUTE.multipliedBy(2));
        assertThat(world.alert(alert.id()).state()).isEqualTo(AlertState.PENDING);
        assertThat(world.received()).isEmpty();

        world.run(engine, MINUTE);
        assertThat(world.alert(alert.id()).state()).isEqualTo(AlertState.FIRING);
        assertThat(world.received()).containsExactly("firing");
    }

    @Test
    void requestsAreReadOverTheWindowAndNotBeyondIt() {
        Alert alert = world.alert(FAILING_REQUESTS, AlertInterval.FIVE_MINUTES, 1, to(world.webhook()));
        Instant start = world.time.now();
        Dispatcher engine = world.engine();
        world.counts("requests.5xx", start.plus(MINUTE.multipliedBy(4)), 1);
        world.counts("requests.2xx", start, 99);

        world.run(engine, MINUTE.multipliedBy(5));
        // Counts of other processes may still be on their way.
        assertThat(world.received()).isEmpty();
        world.counts("requests.5xx", start.plus(MINUTE.multipliedBy(4)), 2);
        world.run(engine, Duration.ofSeconds(15));

        assertThat(world.received()).containsExactly("firing");
        assertThat(world.history(alert)).extracting(AlertEvaluation::value).containsExactly(3.0);
        world.run(engine, MINUTE.multipliedBy(5));
        assertThat(world.received()).containsExactly("firing", "resolved");
    }

    @Test
    void missedWindowsAreMadeUpForWhereThePastCanBeRead() {
        Alert counted = world.alert(FAILING_REQUESTS, to(world.webhook()));
        Alert measured = world.alert(failedServices(Map.of(), ""), ACTIVITIES);
        Instant start = world.time.now();
        world.service();
        world.counts("requests.5xx", start.plus(MINUTE.multipliedBy(2)), 7);
        world.time.advance(MINUTE.multipliedBy(10).plusSeconds(20));

        world.run(world.engine(), Duration.ofSeconds(1));

        assertThat(world.history(counted)).extracting(AlertEvaluation::value).containsExactly(0.0, 7.0, 0.0);
        assertThat(world.received()).containsExactly("firing", "resolved");
        assertThat(world.history(measured)).hasSize(1);
        assertThat(world.alert(counted.id()).watch().measuredUntil()).isEqualTo(start.plus(MINUTE.multipliedBy(10)));
    }

    @Test
    void aMetricNeverMeasuredIsInsufficientAndSendsNothing() {
        Tile.Config backups =
                new Tile.Config("number", Metric.BACKUP_AGE_SECONDS, Metric.Aggregation.LAST, Map.of(), null);
        Alert alert = world.alert(backups, to(world.webhook()));

        world.run(world.engine(), MINUTE.multipliedBy(4));

        assertThat(world.alert(alert.id()).state()).isEqualTo(AlertState.INSUFFICIENT_DATA);
        assertThat(world.received()).isEmpty();
    }

    @Test
    void aSilenceThatEndsWhileItFiresLetsOneMessageGo() {
        Service service = world.service();
        Alert alert = world.alert(failedServices(Map.of(), ""), AlertInterval.ONE_HOUR, 1, to(world.webhook()));
        Dispatcher engine = world.engine();
        Instant end = world.time.now().plus(Duration.ofMinutes(75));
        world.change(alert, row -> row.withSilence(new AlertSilence("somebody", world.time.now(), end)));
        world.breaks(service);

        world.run(engine, Duration.ofMinutes(74));
        assertThat(world.alert(alert.id()).state()).isEqualTo(AlertState.FIRING);
        assertThat(world.received()).isEmpty();

        // The hour goes on for long, but the silence does not.
        world.run(engine, Duration.ofMinutes(2));
        assertThat(world.received()).containsExactly("firing");
        world.run(engine, Duration.ofHours(3));
        assertThat(world.received()).containsExactly("firing");
    }

    @Test
    void aSilenceThatIsTakenAwayLetsTheMessageGoAtOnce() {
        Service service = world.service();
        Alert alert = world.alert(failedServices(Map.of(), ""), to(world.webhook()));
        Dispatcher engine = world.engine();
        Instant end = world.time.now().plus(Duration.ofDays(9));
        world.change(alert, row -> row.withSilence(new AlertSilence("somebody", world.time.now(), end)));
        world.breaks(service);
        world.run(engine, MINUTE.multipliedBy(3).plusSeconds(1));
        assertThat(world.received()).isEmpty();

        world.change(alert, row -> row.withSilence(null));
        world.run(engine, Duration.ofMillis(1));

        assertThat(world.received()).containsExactly("firing");
    }

    @Test
    void twoEvaluatorsThatRaceEvaluateOnce() {
        world.breaks(world.service());
        Alert alert = world.alert(failedServices(Map.of(), ""), to(world.webhook()));
        world.run(world.engine(), Duration.ofSeconds(1));
        Dispatcher second = world.engine(world.store(), world.sender, "second");
        List<String> moments = new ArrayList<>();
        // The first has read and decided; before it writes, its lease runs out and the second does all of it.
        WatchedStore slow = new WatchedStore(world.store(), where -> {
            moments.add(where);
            if (moments.size() == claimed(moments) + 2) {
                world.time.advance(Duration.ofSeconds(30));
                world.run(second, Duration.ofSeconds(1));
            }
        });
        Dispatcher first = world.engine(slow, world.sender, "first");

        world.time.advance(MINUTE);
        world.run(first, Duration.ofSeconds(1));
        world.run(second, MINUTE.multipliedBy(2));

        assertThat(world.history(alert)).hasSize(1);
        assertThat(world.received()).containsExactly("firing");
        assertThat(world.alert(alert.id()).watch().measuredUntil())
                .isAfter(alert.watch().measuredUntil());
    }

    /** The place of the first claim among what was asked of the store; far away until there is one. */
    private static int claimed(List<String> moments) {
        int write = moments.indexOf("after write");
        return write < 0 ? Integer.MAX_VALUE / 2 : write + 1;
    }

    @Test
    void aChangeDuringAnEvaluationIsNeverWrittenOver() {
        world.breaks(world.service());
        Alert alert = world.alert(failedServices(Map.of(), ""), to(world.webhook()));
        world.run(world.engine(), Duration.ofSeconds(1));
        List<String> moments = new ArrayList<>();
        WatchedStore watched = new WatchedStore(world.store(), where -> {
            moments.add(where);
            if (moments.size() == claimed(moments) + 2) {
                world.change(alert, row -> row.withRule(row.rule().named("Renamed"), world.time.now()));
            }
        });

        world.time.advance(MINUTE);
        world.run(world.engine(watched, world.sender, "test"), Duration.ofSeconds(1));

        assertThat(world.alert(alert.id()).rule().name()).isEqualTo("Renamed");
        assertThat(world.alert(alert.id()).state()).isEqualTo(AlertState.FIRING);
        assertThat(world.receiver.messages()).hasSize(1);
        assertThat(world.receiver.messages().getFirst().body()).contains("Firing: Renamed");
    }

    @Test
    void anAlertWhoseTileIsDeletedIsDisabledAndSaysSo() {
        Alert alert = world.alert(failedServices(Map.of(), ""), ACTIVITIES);
        world.store()
                .write(tables -> tables.of(Dashboard.KIND).delete(alert.rule().dashboardId(), 1));

        world.run(world.engine(), MINUTE.multipliedBy(3));

        Alert now = world.alert(alert.id());
        assertThat(now.state()).isEqualTo(AlertState.DISABLED);
        assertThat(now.watch().errors()).extracting(AlertError::type).containsExactly(AlertError.Type.INVALID_ALERT);
        assertThat(now.version()).as("it is written once, not every minute").isEqualTo(2);
    }

    @Test
    void aTileThatCannotBeReadIsReportedAndItsWindowsAreMadeUpFor() {
        Alert alert = world.alert(FAILING_REQUESTS, ACTIVITIES);
        Dispatcher engine = world.engine();
        MetricReader healthy = world.metrics;
        world.metrics = new MetricReader(PipeProgress.NONE) {
            @Override
            public MetricReading read(Tables tables, UUID id, Tile.Config tile, MetricWindow window) {
                throw new IllegalStateException("The disk is on fire");
            }
        };
        Instant bad = world.time.now().plus(MINUTE.multipliedBy(2));
        world.run(engine, MINUTE.multipliedBy(5));
        world.counts("requests.5xx", bad, 1);

        assertThat(world.alert(alert.id()).watch().errors()).singleElement().satisfies(error -> {
            assertThat(error.type()).isEqualTo(AlertError.Type.QUERY_ERROR);
            assertThat(error.message()).isEqualTo("Its tile could not be read; it is tried again every minute");
        });
        assertThat(world.alert(alert.id()).state()).isEqualTo(AlertState.INACTIVE);
        assertThat(world.alert(alert.id()).version())
                .as("it is written once, not every minute")
                .isEqualTo(2);

        world.metrics = healthy;
        world.run(engine, MINUTE.multipliedBy(2));
        assertThat(world.alert(alert.id()).watch().errors()).isEmpty();
        assertThat(world.history(alert)).extracting(AlertEvaluation::state).contains(AlertState.FIRING);
    }

    @Test
    void theBuiltInAlertsWriteToTheHistoryOfTheOrganization() {
        new AlertSetup(world.store(), world.time).everywhere();
        new AlertSetup(world.store(), world.time).everywhere();
        Service service = world.service();
        Dispatcher engine = world.engine();

        world.breaks(service);
        world.run(engine, MINUTE.multipliedBy(6));
        world.heals(service);
        world.run(engine, MINUTE.multipliedBy(6));

        assertThat(world.store().<Long>read(tables -> tables.of(Alert.KIND).count(world.organizationId)))
                .isEqualTo(AlertBuiltIns.all(world.organizationId, world.time.now())
                        .size());
        // The service by itself, and the task that keeps failing.
        assertThat(world.activities())
                .containsExactly("alert_firing", "alert_firing", "alert_resolved", "alert_resolved");
    }

    @Test
    void aPipeThatFallsBehindLosesRecordsOrFillsItsSourceIsReportedWithoutARuleOfAnybody() {
        new AlertSetup(world.store(), world.time).everywhere();
        UUID pipe = world.moves(
                Map.of(PipeFigure.LAG_SECONDS, 899L, PipeFigure.ERROR_PERCENT, 0L, PipeFigure.SLOT_MEBIBYTES, 5119L));
        Dispatcher engine = world.engine();
        world.run(engine, MINUTE.multipliedBy(6));
        assertThat(world.activities()).isEmpty();

        world.moves(pipe, Map.of(PipeFigure.LAG_SECONDS, 900L));
        world.run(engine, MINUTE.multipliedBy(6));
        assertThat(world.activities()).containsExactly("alert_firing");
        world.moves(pipe, Map.of(PipeFigure.LAG_SECONDS, 0L, PipeFigure.ERROR_PERCENT, 1L));
        world.run(engine, MINUTE.multipliedBy(6));
        assertThat(world.activities()).containsExactlyInAnyOrder("alert_firing", "alert_resolved", "alert_firing");
        world.moves(pipe, Map.of(PipeFigure.LAG_SECONDS, 0L, PipeFigure.SLOT_MEBIBYTES, 5120L));
        world.run(engine, MINUTE.multipliedBy(6));
        assertThat(world.activities())
                .hasSize(5)
                .filteredOn("alert_firing"::equals)
                .hasSize(3);

        world.pipes.stop(pipe);
        world.run(engine, MINUTE.multipliedBy(6));
        assertThat(world.activities())
                .hasSize(6)
                .filteredOn("alert_resolved"::equals)
                .hasSize(3);
    }

    @Test
    void historyIsCutAtItsOldEnd() {
        Service service = world.service();
        Alert alert = world.alert(failedServices(Map.of(), ""), ACTIVITIES);
        Dispatcher engine = world.engine();

        for (int i = 0; i < 105; i++) {
            world.breaks(service);
            world.run(engine, MINUTE);
            world.heals(service);
            world.run(engine, MINUTE);
        }

        List<AlertEvaluation> history = world.history(alert);
        assertThat(history).hasSize(200);
        assertThat(history.getLast().window().to())
                .isEqualTo(world.alert(alert.id()).watch().measuredUntil());
    }

    @Test
    void aDeletedAlertLeavesNoTask() {
        Alert alert = world.alert(failedServices(Map.of(), ""), ACTIVITIES);
        Dispatcher engine = world.engine();
        world.run(engine, MINUTE);

        world.store().write(tables -> {
            Alert row = tables.of(Alert.KIND).find(alert.id()).orElseThrow();
            return tables.of(Alert.KIND).delete(row.id(), row.version());
        });
        world.run(engine, MINUTE.multipliedBy(2));

        assertThat(world.store()
                        .<Boolean>read(tables -> tables.tasks().nextDue().isPresent()))
                .isFalse();
    }
}
