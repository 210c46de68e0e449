package io.pilothouse.core.webhook;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A receiver of messages. {@code sealedSecrets} holds its {@link WebhookSecrets} and opens with the vault only. */
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
    /** Reference: the part of a webhook that must be unique. */
    public static final Kind<Webhook> KIND = new Kind<>("webhooks", Webhook.class);

    public UUID organizationId() {
        return head.ownerId();
    }

    /** The unique part: the name among the organization's webhooks of one service. */
    public String uniqueName() {
        return uniqueName(organizationId(), service, name);
    }

    public static String uniqueName(UUID organizationId, WebhookService service, String name) {
        return organizationId + ":" + service.word() + ":" + name;
    }

    /** The context in which its secrets are sealed. */
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
