package io.pilothouse.core.port;

import io.pilothouse.core.domain.Activity;
import io.pilothouse.core.domain.Alert;
import io.pilothouse.core.domain.AlertEvaluation;
import io.pilothouse.core.domain.AlertsToken;
import io.pilothouse.core.domain.ApiKey;
import io.pilothouse.core.domain.Backup;
import io.pilothouse.core.domain.Dashboard;
import io.pilothouse.core.domain.Delivery;
import io.pilothouse.core.domain.Keeping;
import io.pilothouse.core.domain.Organization;
import io.pilothouse.core.domain.Pipe;
import io.pilothouse.core.domain.PipeCdcScaling;
import io.pilothouse.core.domain.PrivateEndpointUse;
import io.pilothouse.core.domain.ReversePrivateEndpoint;
import io.pilothouse.core.domain.Service;
import io.pilothouse.core.domain.Webhook;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** One transaction's view of the store: a table for each kind of thing. Good inside the work it is handed to only. */
public interface Tables {
    Table<Organization> organizations();

    /** Reference: the warehouse id. */
    Table<Service> services();

    /** Reference: the hash of the key id, unique. */
    Table<ApiKey> keys();

    /** Reference: the keyed hash of the token, unique. */
    Table<AlertsToken> alertsTokens();

    /** Reference: the service it is about, where there is one. */
    Table<Activity> activities();

    /** Owner: the service. */
    Table<Pipe> pipes();

    /** One row for a service, under its own id. */
    Table<PipeCdcScaling> pipeCdcScalings();

    /** Owner: the service. */
    Table<ReversePrivateEndpoint> reversePrivateEndpoints();

    /** Owner: the service, which may be gone. */
    Table<Backup> backups();

    /** Whether a backup of the service was asked for and has not ended; there is one at a time. */
    default boolean isBeingBackedUp(UUID serviceId) {
        return backups().pageBackwards(serviceId, null, 1).stream()
                .anyMatch(newest -> newest.state() == Backup.State.IN_PROGRESS);
    }

    /** Reference: {@link PrivateEndpointUse#reference}. */
    Table<PrivateEndpointUse> privateEndpointUses();

    /** No reference. */
    Table<Alert> alerts();

    /** Owner: the alert. No reference. */
    Table<AlertEvaluation> alertEvaluations();

    /** Reference: what must be unique of a webhook, unique. */
    Table<Webhook> webhooks();

    /** No reference. */
    Table<Dashboard> dashboards();

    /** Reference: the lane, whose first row is the message that goes next. */
    Table<Delivery> deliveries();

    MetricPoints metricPoints();

    /** What tells whether a vault has the keys of this store; empty until one was kept. */
    Optional<String> findVaultCheck();

    void keepVaultCheck(String check);

    Tasks tasks();

    /** The answer kept for this key and idempotency key, unless it was kept before {@code notBefore}. */
    Optional<Keeping> findKeeping(UUID keyId, String idempotencyKey, Instant notBefore);

    /** Keeps an answer, replacing one that has grown too old. */
    void keep(Keeping keeping);

    /** Forgets at most {@code limit} answers kept before this moment and says how many went. */
    int forgetKeepings(Instant before, int limit);

    /** Runs after the commit of the outermost write, never after a rollback. */
    void afterCommit(Runnable nudge);
}
