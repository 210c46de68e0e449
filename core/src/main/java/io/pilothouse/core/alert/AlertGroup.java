package io.pilothouse.core.alert;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one group of an alert's tile. {@code streak} counts violating windows in a row, {@code empty} those
 * without data; {@code notified} are the channels that were notified that it fires, each of which must still be
 * notified of its end.
 */
public record AlertGroup(
        AlertState state,
        int streak,
        int empty,
        Instant since,
        @Nullable Double value,
        List<AlertChannel> notified) {
    public AlertGroup {
        notified = List.copyOf(notified);
    }

    public static AlertGroup fresh(Instant since) {
        return new AlertGroup(AlertState.INACTIVE, 0, 0, since, null, List.of());
    }

    public AlertGroup withNotified(List<AlertChannel> channels) {
        return new AlertGroup(state, streak, empty, since, value, channels);
    }
}
