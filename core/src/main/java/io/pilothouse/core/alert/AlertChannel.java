package io.pilothouse.core.alert;

import io.pilothouse.core.base.WordRule;
import java.util.UUID;

/** Where the messages of an alert go. */
public sealed interface AlertChannel {
    /** Stands for {@link ToActivities} in place of a webhook's id. */
    String ACTIVITY = "activity";

    /** The types of the wire. */
    WordRule TYPES = WordRule.of("webhook", ACTIVITY);

    /** To a webhook of the same organization. */
    record ToWebhook(UUID webhookId) implements AlertChannel {}

    /** Into the organization's own history: needs no receiver, so it works from the first day on. */
    record ToActivities() implements AlertChannel {}

    /** The type as clients write it. */
    default String type() {
        return switch (this) {
            case ToWebhook _ -> "webhook";
            case ToActivities _ -> ACTIVITY;
        };
    }

    /** The id beside the type; always a text. */
    default String target() {
        return switch (this) {
            case ToWebhook(UUID webhookId) -> webhookId.toString();
            case ToActivities _ -> ACTIVITY;
        };
    }
}
