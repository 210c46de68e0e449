package io.pilothouse.http.api;

import io.pilothouse.core.delivery.WebhookOperations;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookCreated;
import io.pilothouse.http.json.JsonWriter;
import org.jspecify.annotations.Nullable;

/** Webhooks as clients see them: never with a secret, except the signing one in the answer that made it. */
final class WebhookJson {
    private WebhookJson() {}

    static void write(JsonWriter out, Webhook webhook) {
        write(out, webhook, null);
    }

    static void writeNew(JsonWriter out, WebhookCreated made) {
        write(out, made.webhook(), made.signingSecret());
    }

    private static void write(JsonWriter out, Webhook webhook, @Nullable String signingSecret) {
        out.startObject();
        out.id("id", webhook.id());
        out.text("name", webhook.name());
        out.text("service", webhook.service().word());
        out.text("url", webhook.url());
        out.text("description", webhook.description());
        out.text("body", webhook.body());
        out.text("signingSecret", signingSecret);
        out.time("createdAt", webhook.createdAt());
        out.time("updatedAt", webhook.updatedAt());
        out.endObject();
    }

    static void writeTrial(JsonWriter out, WebhookOperations.Trial trial) {
        out.startObject();
        Integer status = trial.status();
        if (status != null) {
            out.whole("status", status);
        }
        out.whole("durationMs", trial.duration().toMillis());
        out.text("error", trial.error());
        out.endObject();
    }
}
