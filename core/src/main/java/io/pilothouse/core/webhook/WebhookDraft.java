package io.pilothouse.core.webhook;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A webhook as it was requested; null means not given. */
public record WebhookDraft(
        @Nullable String name,
        @Nullable String service,
        @Nullable String url,
        @Nullable String description,
        @Nullable String body,
        @Nullable Map<String, String> headers,
        @Nullable Map<String, String> queryParams,
        @Nullable String signingSecret) {
    @Override
    public String toString() {
        return "WebhookDraft[]";
    }
}
