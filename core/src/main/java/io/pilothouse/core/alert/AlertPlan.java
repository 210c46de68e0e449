package io.pilothouse.core.alert;

import io.pilothouse.core.metric.MetricReading;
import io.pilothouse.core.metric.MetricWindow;
import io.pilothouse.core.metric.Tile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a few windows mean for an alert: pure, so that every case is a line in a table. Who is notified follows
 * from two facts alone: whether a group fires, and which channels were notified that it does. So a silence or a restart
 * loses nothing.
 */
final class AlertPlan {
    private static final int MAX_EMPTY_WINDOWS = 3;

    private final Alert alert;
    private final Tile tile;
    private final Instant now;
    private final Map<String, AlertGroup> groups;
    private final List<AlertEvaluation> evaluations = new ArrayList<>();
    private final List<AlertNotice> notices = new ArrayList<>();
    private Instant measuredUntil;
    private Instant notifiedAt;
    private @Nullable AlertError failure;

    private AlertPlan(Alert alert, Tile tile, Instant now) {
        this.alert = alert;
        this.tile = tile;
        this.now = now;
        this.groups = new LinkedHashMap<>(alert.watch().groups());
        this.measuredUntil = alert.watch().measuredUntil();
        this.notifiedAt = alert.watch().notifiedAt();
        this.failure = alert.watch().failure();
    }

    /** The reading of a tile in one window. */
    record Sample(MetricWindow window, MetricReading reading) {}

    /** The changes to write, all in one transaction. */
    record Step(AlertWatch watch, List<AlertEvaluation> evaluations, List<AlertNotice> notices) {
        Step {
            evaluations = List.copyOf(evaluations);
            notices = List.copyOf(notices);
        }
    }

    /** {@code samples} are of consecutive windows, the oldest first, none of them seen before; may be empty. */
    static Step next(Alert alert, Tile tile, List<Sample> samples, Instant now) {
        AlertPlan plan = new AlertPlan(alert, tile, now);
        if (samples.isEmpty()) {
            Instant until = plan.measuredUntil;
            plan.notifyChannels(new MetricWindow(
                    until.minus(alert.rule().schedule().interval().length()), until));
        }
        samples.forEach(plan::take);
        AlertWatch watch = new AlertWatch(
                plan.measuredUntil,
                plan.notifiedAt,
                plan.groups,
                plan.failure,
                alert.watch().undelivered());
        return new Step(samples.isEmpty() ? watch : watch.withoutSettledDeliveries(), plan.evaluations, plan.notices);
    }

    private void take(Sample sample) {
        MetricWindow window = sample.window();
        measuredUntil = window.to();
        failure = null;
        switch (sample.reading()) {
            case MetricReading.Nothing _ -> {
                groups.putIfAbsent(MetricReading.WHOLE, AlertGroup.fresh(window.from()));
                groups.replaceAll((group, before) -> noted(window, group, before, unmeasured(before, window)));
                notifyChannels(window);
            }
            case MetricReading.Values values -> {
                Map<String, Double> byGroup = values.byGroup();
                byGroup.keySet().forEach(group -> groups.putIfAbsent(group, AlertGroup.fresh(window.from())));
                groups.replaceAll((group, before) -> {
                    Double value = byGroup.get(group);
                    return noted(
                            window,
                            group,
                            before,
                            value == null ? over(before, window) : measured(before, value, window));
                });
                notifyChannels(window);
                groups.entrySet()
                        .removeIf(entry -> !byGroup.containsKey(entry.getKey())
                                && entry.getValue().notified().isEmpty());
                failure = values.complete() ? null : tooMany(byGroup.size());
            }
        }
    }

    private AlertError tooMany(int groups) {
        return new AlertError(
                now,
                AlertError.Type.QUERY_ERROR,
                "The tile has more than " + groups + " groups: the others are not watched");
    }

    /** Adds a line of history where something differs from before. */
    private AlertGroup noted(MetricWindow window, String group, AlertGroup before, AlertGroup after) {
        boolean sameValue =
                before.value() == null ? after.value() == null : before.value().equals(after.value());
        if (before.state() != after.state() || !sameValue) {
            evaluations.add(AlertEvaluation.of(alert.id(), window, group, after));
        }
        return after;
    }

    private AlertGroup measured(AlertGroup before, double value, MetricWindow window) {
        if (!alert.rule().threshold().isViolatedBy(value)) {
            return to(AlertState.INACTIVE, before, 0, 0, value, window);
        }
        int streak = before.streak() + 1;
        // A firing group keeps firing, even if the rule now asks for more windows.
        boolean fires =
                before.state() == AlertState.FIRING || streak >= alert.rule().windowsNeeded();
        return to(fires ? AlertState.FIRING : AlertState.PENDING, before, streak, 0, value, window);
    }

    private static AlertGroup unmeasured(AlertGroup before, MetricWindow window) {
        int empty = before.empty() + 1;
        boolean enough = empty >= MAX_EMPTY_WINDOWS;
        AlertState state = enough ? AlertState.INSUFFICIENT_DATA : before.state();
        return to(state, before, enough ? 0 : before.streak(), empty, null, window);
    }

    /** A group that the tile no longer shows is over, whatever the threshold says about zero. */
    private static AlertGroup over(AlertGroup before, MetricWindow window) {
        return to(AlertState.INACTIVE, before, 0, 0, null, window);
    }

    private static AlertGroup to(
            AlertState state, AlertGroup before, int streak, int empty, @Nullable Double value, MetricWindow window) {
        Instant since = state == before.state() ? before.since() : window.to();
        return new AlertGroup(state, streak, empty, since, value, before.notified());
    }

    private void notifyChannels(MetricWindow window) {
        if (alert.silence(now) != null) {
            return;
        }
        groups.replaceAll((group, found) -> switch (found.state()) {
            case FIRING -> {
                List<AlertChannel> notified = new ArrayList<>(found.notified());
                for (AlertChannel channel : alert.rule().channels()) {
                    if (!notified.contains(channel)) {
                        notice(channel, group, found, window);
                        notified.add(channel);
                    }
                }
                yield found.withNotified(notified);
            }
            case INACTIVE -> {
                found.notified().forEach(channel -> notice(channel, group, found, window));
                yield found.withNotified(List.of());
            }
            case PENDING, INSUFFICIENT_DATA, DISABLED -> found;
        });
    }

    private void notice(AlertChannel channel, String group, AlertGroup found, MetricWindow window) {
        notifiedAt = AlertWatch.stampAfter(notifiedAt, now);
        notices.add(AlertNotice.of(channel, notifiedAt, alert, tile, group, found, window));
    }
}
