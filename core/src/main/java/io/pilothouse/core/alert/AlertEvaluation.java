package io.pilothouse.core.alert;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.metric.MetricWindow;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One line of an alert's history: the value of a window for a group, and the state that followed. There is a line
 * wherever one of the two differs from the window before, and never two for the same window; {@code value} is null
 * without data.
 */
public record AlertEvaluation(
        Head head, Instant from, String group, @Nullable Double value, AlertState state) implements Stored {
    /** Owner: the alert. */
    public static final Kind<AlertEvaluation> KIND = new Kind<>("alert_evaluations", AlertEvaluation.class);

    public static AlertEvaluation of(UUID alertId, MetricWindow window, String group, AlertGroup found) {
        return new AlertEvaluation(
                Head.of(idOf(alertId, window, group), alertId, window.to()),
                window.from(),
                group,
                found.value(),
                found.state());
    }

    /** The id of the line about this window and group. */
    public static UUID idOf(UUID alertId, MetricWindow window, String group) {
        String name = alertId + "|" + window.from() + "|" + window.to() + "|" + group;
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    public UUID alertId() {
        return head.ownerId();
    }

    /** A line is created at the end of its window, so that lines are in order whatever the interval was. */
    public MetricWindow window() {
        return new MetricWindow(from, createdAt());
    }
}
