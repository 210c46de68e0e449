package io.pilothouse.store;

import io.pilothouse.core.domain.Activity;
import io.pilothouse.core.domain.Alert;
import io.pilothouse.core.domain.AlertEvaluation;
import io.pilothouse.core.domain.AlertsToken;
import io.pilothouse.core.domain.ApiKey;
import io.pilothouse.core.domain.Backup;
import io.pilothouse.core.domain.Dashboard;
import io.pilothouse.core.domain.Delivery;
import io.pilothouse.core.domain.Organization;
import io.pilothouse.core.domain.Pipe;
import io.pilothouse.core.domain.PipeCdcScaling;
import io.pilothouse.core.domain.PrivateEndpointUse;
import io.pilothouse.core.domain.ReversePrivateEndpoint;
import io.pilothouse.core.domain.Service;
import io.pilothouse.core.domain.Stored;
import io.pilothouse.core.domain.Webhook;
import org.jspecify.annotations.Nullable;

/** The statements over one kind's table, spelled once. */
final class DocumentStatements<T extends Stored> {
    static final DocumentStatements<Organization> ORGANIZATIONS = new DocumentStatements<>(new OrganizationRows());
    static final DocumentStatements<Service> SERVICES = new DocumentStatements<>(new ServiceRows());
    static final DocumentStatements<ApiKey> KEYS = new DocumentStatements<>(new ApiKeyRows());
    static final DocumentStatements<AlertsToken> ALERTS_TOKENS = new DocumentStatements<>(new AlertsTokenRows());
    static final DocumentStatements<Activity> ACTIVITIES = new DocumentStatements<>(new ActivityRows());
    static final DocumentStatements<Pipe> PIPES = new DocumentStatements<>(new PipeRows());
    static final DocumentStatements<PipeCdcScaling> PIPE_CDC_SCALINGS =
            new DocumentStatements<>(new PipeCdcScalingRows());
    static final DocumentStatements<ReversePrivateEndpoint> REVERSE_PRIVATE_ENDPOINTS =
            new DocumentStatements<>(new ReversePrivateEndpointRows());
    static final DocumentStatements<Backup> BACKUPS = new DocumentStatements<>(new BackupRows());
    static final DocumentStatements<PrivateEndpointUse> PRIVATE_ENDPOINT_USES =
            new DocumentStatements<>(new PrivateEndpointUseRows());
    static final DocumentStatements<Alert> ALERTS = new DocumentStatements<>(new AlertRows());
    static final DocumentStatements<AlertEvaluation> ALERT_EVALUATIONS =
            new DocumentStatements<>(new AlertEvaluationRows());
    static final DocumentStatements<Webhook> WEBHOOKS = new DocumentStatements<>(new WebhookRows());
    static final DocumentStatements<Dashboard> DASHBOARDS = new DocumentStatements<>(new DashboardRows());
    static final DocumentStatements<Delivery> DELIVERIES = new DocumentStatements<>(new DeliveryRows());

    final Rows<T> rows;
    /** Spreads the rows of different kinds. */
    final int place;

    final String insert;
    final String find;
    final String listByReference;
    final String listByLabel;
    final String newestByLabel;
    final String countByLabel;
    final String all;
    final String page;
    final String pageBackwards;
    final String count;
    final String replace;
    final String label;
    final String delete;

    private DocumentStatements(Rows<T> rows) {
        this.rows = rows;
        String table = rows.table();
        place = table.hashCode();
        String select = "SELECT id, owner_id, created_at, version, document FROM " + table;
        insert = "INSERT INTO " + table
                + " (id, owner_id, reference, label, created_at, version, document) VALUES (?, ?, ?, ?, ?, 1, ?)";
        find = select + " WHERE id = ?";
        listByReference = select + " WHERE reference = ? ORDER BY created_at, id LIMIT ?";
        listByLabel = select + " WHERE label = ? ORDER BY created_at, id LIMIT ?";
        newestByLabel = select + " WHERE label = ? ORDER BY created_at DESC, id DESC LIMIT 1";
        countByLabel = "SELECT COUNT(*) FROM " + table + " WHERE label = ?";
        all = select + " WHERE id > ? ORDER BY id LIMIT ?";
        page = select + " WHERE owner_id = ? AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?";
        pageBackwards =
                select + " WHERE owner_id = ? AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?";
        count = "SELECT COUNT(*) FROM " + table + " WHERE owner_id = ?";
        // Owner and creation stay as they are for life: leaving them out keeps their index untouched.
        replace = "UPDATE " + table
                + " SET reference = ?, label = ?, version = ?, document = ? WHERE id = ? AND version = ?";
        label = "UPDATE " + table + " SET label = ? WHERE id = ?";
        delete = "DELETE FROM " + table + " WHERE id = ? AND version = ?";
    }

    /** What {@link #insert} takes. */
    @Nullable
    Object[] inserted(T row) {
        return new @Nullable Object[] {
            row.id().toString(),
            row.ownerId().toString(),
            rows.reference(row),
            rows.label(row),
            EpochNanos.of(row.createdAt()),
            document(row)
        };
    }

    String document(T row) {
        return DocumentOut.of(document -> rows.write(row, document));
    }
}
