package io.pilothouse.core.webhook;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where messages are sent. {@code sealedSecrets} holds its {@link WebhookSecrets} and opens with the vault only. */
public record Webhook(
        Head head,
        Instant updatedAt,
        String name,
        WebhookService service,
        String url,
        @Nullable String description,
        @Nullable String body,
        String sealedSecrets)
        implements Stored {
    /** Reference: what must be unique of a webhook, unique. */
    public static final Kind<Webhook> KIND = new Kind<>("webhooks", Webhook.class);

    public UUID organizationId() {
        return head.ownerId();
    }

    /** What must be unique: the name among the organization's webhooks of one service. */
    public String uniqueName() {
        return uniqueName(organizationId(), service, name);
    }

    public static String uniqueName(UUID organizationId, WebhookService service, String name) {
        return organizationId + ":" + service.word() + ":" + name;
    }

    /** The place of its secrets, which opens them. */
    public static String secretsContext(UUID id) {
        return "webhook:" + id;
    }

    public Webhook withSealedSecrets(String sealed) {
        return new Webhook(head, updatedAt, name, service, url, description, body, sealed);
    }

    @Override
    public String toString() {
        return "Webhook[" + id() + "]";
    }
}
