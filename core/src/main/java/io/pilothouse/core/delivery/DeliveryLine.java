package io.pilothouse.core.delivery;

import io.pilothouse.core.alert.Delivery;
import io.pilothouse.core.alert.DeliveryEvent;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How one message fared: what it was about, and its latest attempt. Neither its text nor the address, the headers or the
 * answer of its receiver are in it, because those may hold secrets.
 */
public record DeliveryLine(
        UUID messageId,
        UUID organizationId,
        UUID alertId,
        UUID webhookId,
        String webhookName,
        DeliveryEvent.Kind kind,
        String title,
        Instant queuedAt,
        Attempt attempt) {
    private static final int MAX_TEXT = 200;

    public DeliveryLine {
        webhookName = shortened(webhookName);
        title = shortened(title);
    }

    /** What became of a message. */
    public enum State {
        ARRIVED,
        WAITING,
        GIVEN_UP;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One attempt, the {@code number}th; {@code status} is null if there was no answer, {@code trouble} if there was
     * none, {@code nextAt} if none follows.
     */
    public record Attempt(
            Instant at,
            int number,
            State state,
            @Nullable Integer status,
            @Nullable String trouble,
            @Nullable Instant nextAt) {}

    /** {@code webhookName} is empty once the webhook was deleted. */
    static DeliveryLine of(Delivery delivery, String webhookName, Attempt attempt) {
        return new DeliveryLine(
                delivery.id(),
                delivery.organizationId(),
                delivery.event().alertId(),
                delivery.webhookId(),
                webhookName,
                delivery.event().kind(),
                delivery.event().title(),
                delivery.queuedAt(),
                attempt);
    }

    private static String shortened(String text) {
        return text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text;
    }
}
