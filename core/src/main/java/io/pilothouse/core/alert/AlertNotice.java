package io.pilothouse.core.alert;

import io.pilothouse.core.metric.MetricWindow;
import io.pilothouse.core.metric.Tile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One message for one channel; {@code stamp} orders it among all messages of its alert. */
public record AlertNotice(AlertChannel channel, Instant stamp, DeliveryEvent event) {
    private static final int MAX_TITLE_LENGTH = 1024;
    private static final int MAX_TEXT_LENGTH = 16 * 1024;

    /** The notice that a group fires, or no longer does. */
    public static AlertNotice of(
            AlertChannel channel,
            Instant stamp,
            Alert alert,
            Tile tile,
            String group,
            AlertGroup found,
            MetricWindow window) {
        boolean fires = found.state() == AlertState.FIRING;
        String what = tile.name() + (group.isEmpty() ? "" : " (" + group + ")");
        String threshold = alert.rule().threshold().words();
        Double value = found.value();
        String measured = value == null ? "" : AlertThreshold.plain(value);
        String over = " from " + window.from() + " to " + window.to() + ".";
        String sentence;
        if (fires) {
            sentence = value == null
                    ? what + " was " + threshold + " when it was last measured."
                    : what + " is " + threshold + ": it was " + measured + over;
        } else {
            sentence = value == null
                    ? what + " is no longer " + threshold + ": there is nothing left to measure."
                    : what + " is no longer " + threshold + ": it was " + measured + over;
        }
        DeliveryEvent.Kind kind = fires ? DeliveryEvent.Kind.FIRING : DeliveryEvent.Kind.RESOLVED;
        return new AlertNotice(channel, stamp, event(kind, alert, group, value, sentence, window));
    }

    /** The final notices of an alert that is about to be deleted, for every channel that was notified that it fires. */
    public static List<AlertNotice> farewell(Alert alert, Instant now) {
        List<AlertNotice> notices = new ArrayList<>();
        AlertWatch watch = alert.watch();
        Instant stamp = AlertWatch.stampAfter(watch.notifiedAt(), now);
        MetricWindow window = new MetricWindow(watch.measuredUntil(), stamp);
        watch.groups().forEach((group, found) -> {
            for (AlertChannel channel : found.notified()) {
                String sentence = "The alert was deleted while it was firing.";
                DeliveryEvent event = event(DeliveryEvent.Kind.RESOLVED, alert, group, null, sentence, window);
                notices.add(new AlertNotice(channel, stamp, event));
            }
        });
        return notices;
    }

    private static DeliveryEvent event(
            DeliveryEvent.Kind kind,
            Alert alert,
            String group,
            @Nullable Double value,
            String sentence,
            MetricWindow window) {
        AlertRule rule = alert.rule();
        Map<String, String> values = new HashMap<>();
        values.put("state", kind.word());
        values.put("group", group);
        values.put("value", value == null ? "" : AlertThreshold.plain(value));
        values.put("threshold", AlertThreshold.plain(rule.threshold().value()));
        values.put("startTime", window.from().toString());
        values.put("endTime", window.to().toString());
        String name = new AlertTemplate(rule.name()).fill(values, UnaryOperator.identity(), MAX_TITLE_LENGTH);
        String message = new AlertTemplate(rule.message()).fill(values, UnaryOperator.identity(), MAX_TEXT_LENGTH);
        String title = (kind == DeliveryEvent.Kind.FIRING ? "Firing: " : "Resolved: ") + name;
        String text = message.isBlank() ? sentence : sentence + "\n" + message;
        return new DeliveryEvent(kind, alert.id(), group, title, text, value, rule.threshold(), window);
    }
}
