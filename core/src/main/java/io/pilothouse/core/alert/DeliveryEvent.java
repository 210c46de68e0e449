package io.pilothouse.core.alert;

import io.pilothouse.core.metric.MetricWindow;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The content of a message: that a group of an alert fires, or no longer does. */
public record DeliveryEvent(
        Kind kind,
        UUID alertId,
        String group,
        String title,
        String text,
        @Nullable Double value,
        AlertThreshold threshold,
        MetricWindow window) {

    /** The change that the message reports. */
    public enum Kind {
        FIRING,
        RESOLVED,
        TEST;

        /** The word in messages and templates. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
