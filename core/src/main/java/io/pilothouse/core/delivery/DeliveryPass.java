package io.pilothouse.core.delivery;

import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertError;
import io.pilothouse.core.alert.AlertWatch;
import io.pilothouse.core.alert.Delivery;
import io.pilothouse.core.delivery.DeliveryLine.Attempt;
import io.pilothouse.core.delivery.DeliveryLine.State;
import io.pilothouse.core.delivery.DeliverySender.Answered;
import io.pilothouse.core.delivery.DeliverySender.Forbidden;
import io.pilothouse.core.delivery.DeliverySender.Outcome;
import io.pilothouse.core.delivery.DeliverySender.Unanswered;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Release;
import io.pilothouse.core.port.Tasks.Urgency;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.secret.VaultFault;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookSecrets;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the oldest message of one lane and deletes it once it has arrived: so each arrives at least once, and in order.
 * While a message does not arrive its alert shows the error, also after it was given up.
 */
public final class DeliveryPass implements Pass {
    private static final Logger LOG = System.getLogger(DeliveryPass.class.getName());
    private static final Duration BUSY = Duration.ofSeconds(1);
    private static final Duration MAX_RETRY_AFTER = Duration.ofHours(1);
    private static final Pace PACE =
            new Pace(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(1), Duration.ofMinutes(15));

    private final Store store;
    private final Clock clock;
    private final Vault vault;
    private final DeliverySender sender;
    private final DoubleSupplier jitter;
    private final Supplier<String> alertsUrl;
    private final DeliveryLog log;
    private final DeliveryTurnstile turnstile = new DeliveryTurnstile();

    /** {@code alertsUrl} is where people reach the alerts interface, for the links in messages. */
    public DeliveryPass(
            Store store,
            Clock clock,
            Vault vault,
            DeliverySender sender,
            DoubleSupplier jitter,
            Supplier<String> alertsUrl,
            DeliveryLog log) {
        this.store = store;
        this.clock = clock;
        this.vault = vault;
        this.sender = sender;
        this.jitter = jitter;
        this.alertsUrl = alertsUrl;
        this.log = log;
    }

    @Override
    public void run(Claim claim) {
        UUID laneId = claim.subjectId();
        Optional<Head> head = store.read(tables -> head(tables, laneId));
        if (head.isEmpty()) {
            store.write(tables -> giveBack(tables, claim, clock.now()));
            return;
        }
        Delivery delivery = head.get().delivery();
        Webhook webhook = head.get().webhook();
        if (webhook == null) {
            // Deleted with messages on their way: they are dropped.
            Instant now = clock.now();
            store.write(tables -> drop(tables, claim, delivery, null, now));
            Attempt none = new Attempt(now, claim.tries(), State.GIVEN_UP, null, "The webhook was deleted", null);
            log.add(DeliveryLine.of(delivery, "", none));
            return;
        }
        String receiver = DeliveryTurnstile.receiver(webhook);
        if (!turnstile.enter(receiver)) {
            store.write(tables -> later(tables, claim, BUSY, claim.tries()));
            return;
        }
        Outcome outcome;
        try {
            outcome = send(delivery, webhook);
        } finally {
            turnstile.leave(receiver);
        }
        record(new Tried(claim, delivery, webhook, clock.now(), statusOf(outcome)), outcome);
    }

    /** The oldest message of a lane, and its webhook if that still exists. */
    private record Head(Delivery delivery, @Nullable Webhook webhook) {}

    private static Optional<Head> head(Tables tables, UUID laneId) {
        return tables.of(Delivery.KIND)
                .findByReference(laneId.toString())
                .map(delivery -> new Head(
                        delivery,
                        tables.of(Webhook.KIND)
                                .find(delivery.organizationId(), delivery.webhookId())
                                .orElse(null)));
    }

    private Outcome send(Delivery delivery, Webhook webhook) {
        WebhookSecrets secrets;
        try {
            secrets = WebhookSecrets.of(vault.open(webhook.sealedSecrets(), Webhook.secretsContext(webhook.id())));
        } catch (VaultFault e) {
            LOG.log(Level.ERROR, "Webhook " + webhook.id() + ": its secrets cannot be opened", e);
            return new Unanswered("The secrets of the webhook cannot be opened");
        }
        return sender.send(
                DeliveryRequest.of(delivery.id(), delivery.event(), webhook, secrets, alertsUrl.get(), clock));
    }

    /** One attempt that was made. */
    private record Tried(
            Claim claim,
            Delivery delivery,
            Webhook webhook,
            Instant at,
            @Nullable Integer status) {
        DeliveryLine line(State state, @Nullable String trouble, @Nullable Instant nextAt) {
            return DeliveryLine.of(
                    delivery, webhook.name(), new Attempt(at, claim.tries() + 1, state, status, trouble, nextAt));
        }
    }

    private static @Nullable Integer statusOf(Outcome outcome) {
        return outcome instanceof Answered(int status, Duration _) ? status : null;
    }

    private void record(Tried tried, Outcome outcome) {
        switch (outcome) {
            case Answered(int status, Duration retryAfter) -> {
                if (status >= 200 && status < 300) {
                    store.write(tables -> drop(tables, tried.claim(), tried.delivery(), null, tried.at()));
                    log.add(tried.line(State.ARRIVED, null, null));
                } else if (status == 408 || status == 425 || status == 429 || status >= 500) {
                    retry(tried, "The webhook answered " + status, retryAfter);
                } else {
                    giveUp(tried, "The webhook answered " + status);
                }
            }
            case Unanswered(String why) -> retry(tried, why, null);
            case Forbidden(String why) -> giveUp(tried, why);
        }
    }

    private void retry(Tried tried, String why, @Nullable Duration retryAfter) {
        Claim claim = tried.claim();
        Delivery delivery = tried.delivery();
        if (delivery.isTooOld(tried.at())) {
            giveUp(tried, why + ", and so it went on for a day");
            return;
        }
        logSparingly(delivery, claim.tries() + 1, why);
        Duration asked = retryAfter == null ? Duration.ZERO : shorter(retryAfter, MAX_RETRY_AFTER);
        Duration pause = PACE.backOff(claim.tries(), jitter.getAsDouble());
        Duration longer = shorter(pause, asked).equals(pause) ? asked : pause;
        AlertError error = new AlertError(tried.at(), AlertError.Type.WEBHOOK_ERROR, why + "; it is tried again");
        store.write(tables -> later(tables, claim, longer, claim.tries() + 1) && note(tables, delivery, error));
        log.add(tried.line(State.WAITING, why, tried.at().plus(longer)));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private boolean later(Tables tables, Claim claim, Duration pause, int tries) {
        Instant now = clock.now();
        return tables.tasks().release(claim, new Release(now.plus(pause), Urgency.ROUTINE, tries, false), now);
    }

    private void giveUp(Tried tried, String why) {
        Delivery delivery = tried.delivery();
        LOG.log(Level.WARNING, "Message {0} to webhook {1} is given up: {2}", delivery.id(), delivery.webhookId(), why);
        AlertError error = new AlertError(tried.at(), AlertError.Type.WEBHOOK_ERROR, why);
        store.write(tables -> drop(tables, tried.claim(), delivery, error, tried.at()));
        log.add(tried.line(State.GIVEN_UP, why, null));
    }

    /** Deletes a message that arrived, or that is given up for this reason, and continues with its lane. */
    private static boolean drop(
            Tables tables, Claim claim, Delivery delivery, @Nullable AlertError error, Instant now) {
        if (!tables.tasks().extend(claim, now.plus(BUSY))) {
            return false;
        }
        tables.of(Delivery.KIND).delete(delivery.id(), delivery.version());
        note(tables, delivery, error);
        return giveBack(tables, claim, now);
    }

    /** Records in the alert how its message fares; true if that has changed. */
    private static boolean note(Tables tables, Delivery delivery, @Nullable AlertError error) {
        Optional<Alert> found = tables.of(Alert.KIND)
                .find(delivery.organizationId(), delivery.event().alertId());
        if (found.isEmpty()) {
            return false;
        }
        Alert alert = found.get();
        AlertWatch watch = alert.watch().withDelivery(delivery.webhookId(), error);
        // The row was read in this transaction, so it cannot have changed since.
        return !watch.equals(alert.watch())
                && tables.of(Alert.KIND)
                        .replace(alert.withWatch(watch), alert.version())
                        .isPresent();
    }

    /** Ends the task of an empty lane: the next queued message begins a new one. */
    private static boolean giveBack(Tables tables, Claim claim, Instant now) {
        boolean empty = tables.of(Delivery.KIND)
                .findByReference(claim.subjectId().toString())
                .isEmpty();
        return empty
                ? tables.tasks().finish(claim)
                : tables.tasks().release(claim, new Release(now, Urgency.CHANGED, 0, false), now);
    }

    /**
     * True for the first failure in a row and then whenever their number has doubled: a dead receiver must not flood
     * the log.
     */
    private static void logSparingly(Delivery delivery, int tries, String why) {
        if (Integer.bitCount(tries) == 1) {
            LOG.log(
                    Level.WARNING,
                    "Message {0} to webhook {1}: {2} (try {3})",
                    delivery.id(),
                    delivery.webhookId(),
                    why,
                    tries);
        }
    }
}
