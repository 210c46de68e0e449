package io.pilothouse.core.alert;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The evaluator's knowledge of an alert: the end of the last measured window, the stamp of its last notice, the state
 * of each group (under the empty name for a tile without groups), and the errors of the last run and of the last
 * delivery attempt to each webhook.
 */
public record AlertWatch(
        Instant measuredUntil,
        Instant notifiedAt,
        Map<String, AlertGroup> groups,
        @Nullable AlertError failure,
        Map<UUID, AlertError> undelivered) {
    public AlertWatch {
        groups = Collections.unmodifiableMap(new LinkedHashMap<>(groups));
        undelivered = Collections.unmodifiableMap(new LinkedHashMap<>(undelivered));
    }

    public static AlertWatch from(Instant start) {
        return new AlertWatch(start, Instant.EPOCH, Map.of(), null, Map.of());
    }

    public AlertWatch withMeasuredUntil(Instant moment) {
        return new AlertWatch(moment, notifiedAt, groups, failure, undelivered);
    }

    public AlertWatch withFailure(@Nullable AlertError now) {
        return new AlertWatch(measuredUntil, notifiedAt, groups, now, undelivered);
    }

    /**
     * Records how the last delivery attempt to a webhook ended: null if it arrived. Unchanged if it failed for the same
     * reason as before.
     */
    public AlertWatch withDelivery(UUID webhookId, @Nullable AlertError error) {
        Map<UUID, AlertError> next = new LinkedHashMap<>(undelivered);
        if (error == null) {
            next.remove(webhookId);
        } else {
            next.merge(webhookId, error, (before, now) -> before.message().equals(now.message()) ? before : now);
        }
        return new AlertWatch(measuredUntil, notifiedAt, groups, failure, next);
    }

    /**
     * Clears the errors of earlier runs; delivery errors stay while a webhook does not know of a fire that continues.
     */
    public AlertWatch withoutSettledDeliveries() {
        Map<UUID, AlertError> next = new LinkedHashMap<>(undelivered);
        next.keySet()
                .removeIf(webhookId -> groups.values().stream()
                        .noneMatch(group -> group.notified().contains(new AlertChannel.ToWebhook(webhookId))));
        return new AlertWatch(measuredUntil, notifiedAt, groups, failure, next);
    }

    /**
     * The stamp of the next notice: later than every earlier one, whatever the clock says, so that none is overtaken.
     */
    public static Instant stampAfter(Instant notifiedAt, Instant now) {
        return now.isAfter(notifiedAt) ? now : notifiedAt.plusNanos(1);
    }

    public List<AlertError> errors() {
        List<AlertError> errors = new ArrayList<>(undelivered.values());
        if (failure != null) {
            errors.addFirst(failure);
        }
        return List.copyOf(errors);
    }

    AlertState state() {
        if (failure != null && failure.type() == AlertError.Type.INVALID_ALERT) {
            return AlertState.DISABLED;
        }
        for (AlertState worst : List.of(AlertState.FIRING, AlertState.PENDING, AlertState.INSUFFICIENT_DATA)) {
            if (groups.values().stream().anyMatch(group -> group.state() == worst)) {
                return worst;
            }
        }
        return AlertState.INACTIVE;
    }
}
