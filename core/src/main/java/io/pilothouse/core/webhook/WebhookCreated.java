package io.pilothouse.core.webhook;

import org.jspecify.annotations.Nullable;

/** A webhook with the generated secret that signs its messages, for the one answer that shows it. */
public record WebhookCreated(Webhook webhook, @Nullable String signingSecret) {
    @Override
    public String toString() {
        return "WebhookCreated[" + webhook.id() + "]";
    }
}
