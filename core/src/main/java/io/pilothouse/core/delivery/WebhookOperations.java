package io.pilothouse.core.delivery;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertOperations;
import io.pilothouse.core.alert.AlertThreshold;
import io.pilothouse.core.alert.DeliveryEvent;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.metric.MetricWindow;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.secret.Signature;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookAddresses;
import io.pilothouse.core.webhook.WebhookCreated;
import io.pilothouse.core.webhook.WebhookDraft;
import io.pilothouse.core.webhook.WebhookRules;
import io.pilothouse.core.webhook.WebhookSecrets;
import io.pilothouse.core.webhook.WebhookService;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The operations on webhooks, whose secrets are never shown, except for the signing secret in the answer that created
 * it.
 */
public final class WebhookOperations {
    private final Store store;
    private final Clock clock;
    private final Vault vault;
    private final SecureRandom random;
    private final WebhookAddresses addresses;
    private final DeliverySender sender;
    private final Supplier<String> alertsUrl;
    private final ActivityLog log;

    public WebhookOperations(
            Store store,
            Clock clock,
            Vault vault,
            SecureRandom random,
            WebhookAddresses addresses,
            DeliverySender sender,
            Supplier<String> alertsUrl) {
        this.store = store;
        this.clock = clock;
        this.vault = vault;
        this.random = random;
        this.addresses = addresses;
        this.sender = sender;
        this.alertsUrl = alertsUrl;
        this.log = new ActivityLog(clock);
    }

    /** All of them, oldest first. */
    public List<Webhook> list(Permit permit) {
        return store.read(tables -> tables.of(Webhook.KIND).page(permit.organizationId(), null, RuleBook.MAX_ALERTS));
    }

    public Webhook get(Permit permit, UUID webhookId) {
        return store.read(tables -> get(tables, permit, webhookId));
    }

    public Prepared<WebhookCreated> create(Permit permit, WebhookDraft draft, Faults faults) {
        WebhookRules.Fields fields = fields(draft, faults);
        Instant now = clock.now();
        UUID id = RowIds.at(now);
        // Slack trusts a message for its secret address alone, and checks no signature.
        boolean needed = draft.signingSecret() == null && fields.service() != WebhookService.SLACK;
        String made = needed ? Signature.newSecret(random) : null;
        String signingSecret = Objects.requireNonNullElse(made, Objects.requireNonNullElse(draft.signingSecret(), ""));
        WebhookSecrets secrets =
                new WebhookSecrets(orNone(draft.headers()), orNone(draft.queryParams()), signingSecret);
        Webhook wanted = webhook(Head.of(id, permit.organizationId(), now), now, fields, seal(id, secrets));
        return tables -> {
            if (tables.of(Webhook.KIND).count(permit.organizationId()) >= RuleBook.MAX_ALERTS) {
                throw Refused.tooMany(RuleBook.MAX_ALERTS, "webhooks");
            }
            refuseTwin(tables, wanted);
            Webhook kept = tables.of(Webhook.KIND).insert(wanted);
            log.add(tables, permit, "webhook_create", null, id, FieldChange.made("name", kept.name()));
            return new WebhookCreated(kept, made);
        };
    }

    public Webhook replace(
            Permit permit, UUID webhookId, WebhookDraft draft, Precondition<Webhook> precondition, Faults faults) {
        WebhookRules.Fields fields = fields(draft, faults);
        Instant now = clock.now();
        return store.write(tables -> {
            Webhook current = get(tables, permit, webhookId);
            precondition.require(() -> current);
            WebhookSecrets before = open(current);
            boolean moved = !fields.url().equals(current.url()) || fields.service() != current.service();
            // A caller who changes the address must know the credentials, or they could be sent anywhere.
            WebhookSecrets stay = moved ? WebhookSecrets.NONE : before;
            String signingSecret = draft.signingSecret() == null ? before.signingSecret() : draft.signingSecret();
            WebhookSecrets secrets = before.with(
                            draft.headers() == null ? stay.headers() : draft.headers(),
                            draft.queryParams() == null ? stay.queryParams() : draft.queryParams())
                    .rotated(signingSecret, now);
            String sealed = secrets.equals(before) ? current.sealedSecrets() : seal(webhookId, secrets);
            Webhook next = webhook(current.head(), now, fields, sealed);
            refuseTwin(tables, next);
            log.add(tables, permit, "webhook_update", null, webhookId, precondition.changes(current, next));
            return tables.of(Webhook.KIND).replace(next, current.version()).orElseThrow();
        });
    }

    public void delete(Permit permit, UUID webhookId, Precondition<Webhook> precondition) {
        store.write(tables -> {
            Webhook current = get(tables, permit, webhookId);
            List<String> users = AlertOperations.all(tables, permit.organizationId()).stream()
                    .filter(alert -> alert.rule().notifies(webhookId))
                    .map(Alert::id)
                    .map(UUID::toString)
                    .toList();
            if (!users.isEmpty()) {
                throw new Refused(Refused.Reason.CONFLICT, "Alerts still use the webhook: " + String.join(", ", users));
            }
            precondition.require(() -> current);
            log.add(tables, permit, "webhook_delete", null, webhookId, precondition.gone(current));
            return tables.of(Webhook.KIND).delete(webhookId, current.version());
        });
    }

    /** The outcome of a sample message; {@code status} is null if there was no answer. */
    public record Trial(
            @Nullable Integer status,
            Duration duration,
            @Nullable String error) {}

    /** Sends a sample at once, the way a message is sent, and returns only the status of the answer. */
    public Trial test(Permit permit, UUID webhookId) {
        Webhook webhook = store.write(tables -> {
            log.add(tables, permit, "webhook_test", null, webhookId);
            return get(tables, permit, webhookId);
        });
        Instant now = clock.now();
        DeliveryEvent sample = new DeliveryEvent(
                DeliveryEvent.Kind.TEST,
                webhookId,
                "",
                "Test: Pilothouse can reach this webhook",
                "Nothing is wrong: a test message was asked for.",
                null,
                new AlertThreshold(AlertThreshold.Type.ABOVE, 1, null),
                new MetricWindow(now, now));
        DeliveryRequest request =
                DeliveryRequest.of(RowIds.at(now), sample, webhook, open(webhook), alertsUrl.get(), clock);
        DeliverySender.Outcome outcome = sender.send(request);
        Duration duration = Duration.between(now, clock.now());
        return switch (outcome) {
            case DeliverySender.Answered(int status, Duration _) -> new Trial(status, duration, null);
            case DeliverySender.Unanswered(String why) -> new Trial(null, duration, why);
            case DeliverySender.Forbidden(String why) -> new Trial(null, duration, why);
        };
    }

    private WebhookRules.Fields fields(WebhookDraft draft, Faults faults) {
        WebhookRules.Fields fields = new WebhookRules(faults, addresses).fields(draft);
        faults.refuseIfAny();
        return fields;
    }

    private static Webhook webhook(Head head, Instant updatedAt, WebhookRules.Fields fields, String sealed) {
        return new Webhook(
                head,
                updatedAt,
                fields.name(),
                fields.service(),
                fields.url(),
                fields.description(),
                fields.body(),
                sealed);
    }

    private static void refuseTwin(Tables tables, Webhook webhook) {
        boolean twin = tables.of(Webhook.KIND)
                .findByReference(webhook.uniqueName())
                .filter(found -> !found.id().equals(webhook.id()))
                .isPresent();
        if (twin) {
            throw Refused.badRequest("name", "is taken by another webhook of this service");
        }
    }

    private String seal(UUID id, WebhookSecrets secrets) {
        return vault.seal(secrets.toBytes(), Webhook.secretsContext(id));
    }

    private WebhookSecrets open(Webhook webhook) {
        return WebhookSecrets.of(vault.open(webhook.sealedSecrets(), Webhook.secretsContext(webhook.id())));
    }

    private static Map<String, String> orNone(@Nullable Map<String, String> values) {
        return values == null ? Map.of() : values;
    }

    private static Webhook get(Tables tables, Permit permit, UUID webhookId) {
        return tables.of(Webhook.KIND)
                .find(permit.organizationId(), webhookId)
                .orElseThrow(() -> Refused.notFound("Webhook"));
    }
}
