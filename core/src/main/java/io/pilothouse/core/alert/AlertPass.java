package io.pilothouse.core.alert;

import io.pilothouse.core.alert.AlertPlan.Sample;
import io.pilothouse.core.alert.AlertPlan.Step;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.metric.MetricReader;
import io.pilothouse.core.metric.MetricWindow;
import io.pilothouse.core.metric.Tile;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Release;
import io.pilothouse.core.port.Tasks.Urgency;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Evaluates one alert: reads its tile over the windows that have closed, decides, and writes the lines of history, the
 * state and the outgoing messages in one transaction, or nothing if the alert was changed meanwhile.
 */
public final class AlertPass implements Pass {
    private static final Logger LOG = System.getLogger(AlertPass.class.getName());

    /** Counts from other processes may arrive this late; a gauge is read as soon as its window closes. */
    private static final Duration COUNTS_COME_LATE = Duration.ofSeconds(15);

    private static final int MAX_LINES_OF_HISTORY = 200;
    private static final Duration RETRY = Duration.ofMinutes(1);
    private static final String UNREADABLE = "Its tile could not be read; it is tried again every minute";

    private final Store store;
    private final Clock clock;
    private final MetricReader metrics;

    public AlertPass(Store store, Clock clock, MetricReader metrics) {
        this.store = store;
        this.clock = clock;
        this.metrics = metrics;
    }

    @Override
    public void run(Claim claim) {
        Instant now = clock.now();
        Optional<Plan> plan;
        try {
            plan = store.read(
                    tables -> tables.of(Alert.KIND).find(claim.subjectId()).map(alert -> plan(tables, alert, now)));
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "Alert " + claim.subjectId() + " could not be evaluated", e);
            plan = store.read(tables -> tables.of(Alert.KIND)
                    .find(claim.subjectId())
                    .map(alert -> failed(alert, AlertError.Type.QUERY_ERROR, UNREADABLE, RETRY, now)));
        }
        record(claim, plan, now);
    }

    private void record(Claim claim, Optional<Plan> plan, Instant now) {
        store.write(tables -> plan.isPresent() ? record(tables, claim, plan.get(), now) : finish(tables, claim));
    }

    /** The changes to write for an alert as it was read, and when it is evaluated next. */
    private record Plan(Alert alert, Step step, Instant next) {}

    private Plan plan(Tables tables, Alert alert, Instant now) {
        Optional<Tile> tile = dashboard(tables, alert)
                .flatMap(found -> found.tile(alert.rule().tileId()));
        if (tile.isEmpty()) {
            Duration interval = alert.rule().schedule().interval().length();
            return failed(alert, AlertError.Type.INVALID_ALERT, "Its tile is gone", interval, now);
        }
        Tile.Config config = tile.get().config();
        boolean counter = config.metric().isCounter();
        Duration delay = counter ? COUNTS_COME_LATE : Duration.ZERO;
        AlertSchedule schedule = alert.rule().schedule();
        List<Sample> samples = new ArrayList<>();
        for (MetricWindow window : schedule.closed(alert.watch().measuredUntil(), now.minus(delay), counter)) {
            samples.add(new Sample(window, metrics.read(tables, alert.organizationId(), config, window)));
        }
        Step step = AlertPlan.next(alert, tile.get(), samples, now);
        return new Plan(alert, step, next(alert, step, delay, now));
    }

    private static Optional<Dashboard> dashboard(Tables tables, Alert alert) {
        return DashboardBuiltIns.find(
                        alert.organizationId(), alert.createdAt(), alert.rule().dashboardId())
                .or(() -> tables.of(Dashboard.KIND)
                        .find(alert.organizationId(), alert.rule().dashboardId()));
    }

    /** Records only the error: missed windows are evaluated once the tile can be read. */
    private static Plan failed(Alert alert, AlertError.Type type, String message, Duration pause, Instant now) {
        AlertError before = alert.watch().failure();
        boolean known =
                before != null && before.type() == type && before.message().equals(message);
        AlertWatch watch = known ? alert.watch() : alert.watch().withFailure(new AlertError(now, type, message));
        return new Plan(alert, new Step(watch, List.of(), List.of()), now.plus(pause));
    }

    /** The end of the current window or of a silence, whichever comes first. */
    private static Instant next(Alert alert, Step step, Duration delay, Instant now) {
        Instant edge =
                alert.rule().schedule().endOf(step.watch().measuredUntil()).plus(delay);
        AlertSilence silence = alert.silence(now);
        return silence != null && silence.until().isBefore(edge) ? silence.until() : edge;
    }

    private static boolean finish(Tables tables, Claim claim) {
        // An alert that was created again under the same id has woken the task, which must then stay.
        return tables.of(Alert.KIND).find(claim.subjectId()).isEmpty()
                && tables.tasks().finish(claim);
    }

    private boolean record(Tables tables, Claim claim, Plan plan, Instant now) {
        Alert read = plan.alert();
        boolean asRead = tables.of(Alert.KIND)
                .find(read.id())
                .filter(alert -> alert.version() == read.version())
                .isPresent();
        // The alert was changed meanwhile: evaluate it again at once, as it is now.
        Instant next = asRead ? plan.next() : now;
        if (!tables.tasks().release(claim, new Release(next, Urgency.ROUTINE, 0, true), now) || !asRead) {
            return false;
        }
        if (!plan.step().watch().equals(read.watch())) {
            tables.of(Alert.KIND).replace(read.withWatch(plan.step().watch()), read.version());
        }
        remember(tables, read, plan.step().evaluations());
        DeliveryQueue.add(tables, read, plan.step().notices(), now);
        return true;
    }

    private static void remember(Tables tables, Alert alert, List<AlertEvaluation> evaluations) {
        Table<AlertEvaluation> history = tables.of(AlertEvaluation.KIND);
        evaluations.forEach(history::insert);
        long tooMany = evaluations.isEmpty() ? 0 : history.count(alert.id()) - MAX_LINES_OF_HISTORY;
        if (tooMany > 0) {
            history.page(alert.id(), null, Math.toIntExact(tooMany))
                    .forEach(line -> history.delete(line.id(), line.version()));
        }
    }
}
