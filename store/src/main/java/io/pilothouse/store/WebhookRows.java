package io.pilothouse.store;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookService;

/** Webhooks as rows, found by what must be unique among them; their secrets are sealed before they come here. */
final class WebhookRows implements Rows<Webhook> {
    @Override
    public Kind<Webhook> kind() {
        return Webhook.KIND;
    }

    @Override
    public String reference(Webhook row) {
        return row.uniqueName();
    }

    @Override
    public void write(Webhook row, DocumentOut document) {
        document.text("updatedAt", row.updatedAt())
                .text("name", row.name())
                .text("service", row.service())
                .text("url", row.url())
                .text("description", row.description())
                .text("body", row.body())
                .text("sealedSecrets", row.sealedSecrets());
    }

    @Override
    public Webhook read(Head head, DocumentIn document) {
        return new Webhook(
                head.id(),
                head.ownerId(),
                head.createdAt(),
                document.instant("updatedAt", head.createdAt()),
                head.version(),
                document.text("name", ""),
                document.choice("service", WebhookService.GENERIC),
                document.text("url", ""),
                document.textOrNull("description"),
                document.textOrNull("body"),
                document.text("sealedSecrets", ""));
    }

    @Override
    public Webhook withVersion(Webhook row, long version) {
        return new Webhook(
                row.id(),
                row.organizationId(),
                row.createdAt(),
                row.updatedAt(),
                version,
                row.name(),
                row.service(),
                row.url(),
                row.description(),
                row.body(),
                row.sealedSecrets());
    }
}
