package io.pilothouse.core.alert;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The metric to watch and the channels to notify: a tile, a threshold, a schedule, and at least one channel. */
public record AlertRule(
        String name,
        String message,
        @Nullable String note,
        AlertThreshold threshold,
        AlertSchedule schedule,
        @Nullable Integer numConsecutiveWindows,
        UUID dashboardId,
        String tileId,
        List<AlertChannel> channels) {
    public AlertRule {
        channels = List.copyOf(channels);
    }

    /** How many windows in a row must violate the threshold before the alert fires. */
    public int windowsNeeded() {
        return numConsecutiveWindows == null ? 1 : numConsecutiveWindows;
    }

    public AlertRule named(String otherName) {
        return new AlertRule(
                otherName, message, note, threshold, schedule, numConsecutiveWindows, dashboardId, tileId, channels);
    }

    public boolean notifies(UUID webhookId) {
        return channels.contains(new AlertChannel.ToWebhook(webhookId));
    }
}
