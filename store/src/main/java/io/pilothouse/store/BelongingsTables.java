package io.pilothouse.store;

import static java.util.Map.entry;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertEvaluation;
import io.pilothouse.core.alert.Dashboard;
import io.pilothouse.core.alert.Delivery;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.BackupBucket;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.host.Host;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.part.ServicePart;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeCdcScaling;
import io.pilothouse.core.pipe.PipeRange;
import io.pilothouse.core.pipe.ReversePrivateEndpoint;
import io.pilothouse.core.port.Belongings;
import io.pilothouse.core.port.KeptRow;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.privateendpoint.PrivateEndpointUse;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.usage.UsageMeter;
import io.pilothouse.core.usage.UsageSpan;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.store.rows.EpochNanos;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What belongs to organizations in one transaction: found from the organization downwards, owner by owner. */
final class BelongingsTables implements Belongings {
    /**
     * What rows hang under; from each, the next. Who is signed in to the console is not here: a return to a snapshot
     * neither signs a browser out nor brings a session back that has ended.
     */
    private enum Owner {
        ORGANIZATION,
        SERVICE,
        ALERT,
        PIPE
    }

    private static final Map<Kind<?>, Owner> OWNERS = Map.ofEntries(
            entry(Organization.KIND, Owner.ORGANIZATION),
            entry(ApiKey.KIND, Owner.ORGANIZATION),
            entry(AlertsToken.KIND, Owner.ORGANIZATION),
            entry(Activity.KIND, Owner.ORGANIZATION),
            entry(Item.KIND, Owner.ORGANIZATION),
            entry(Service.KIND, Owner.ORGANIZATION),
            // Of all organizations, so of none that could be named.
            entry(Host.KIND, Owner.ORGANIZATION),
            entry(PrivateEndpointUse.KIND, Owner.ORGANIZATION),
            entry(UsageMeter.KIND, Owner.ORGANIZATION),
            entry(Alert.KIND, Owner.ORGANIZATION),
            entry(Webhook.KIND, Owner.ORGANIZATION),
            entry(Dashboard.KIND, Owner.ORGANIZATION),
            entry(Delivery.KIND, Owner.ORGANIZATION),
            entry(ServicePart.KIND, Owner.SERVICE),
            entry(Backup.KIND, Owner.SERVICE),
            entry(BackupBucket.KIND, Owner.SERVICE),
            entry(UsageSpan.KIND, Owner.SERVICE),
            entry(Pipe.KIND, Owner.SERVICE),
            entry(PipeCdcScaling.KIND, Owner.SERVICE),
            entry(ReversePrivateEndpoint.KIND, Owner.SERVICE),
            entry(AlertEvaluation.KIND, Owner.ALERT),
            entry(PipeRange.KIND, Owner.PIPE));

    /** A meter has the id of its service, and outlives it with all that hangs under it. */
    private static final Map<Kind<?>, Owner> MAKES = Map.of(
            Service.KIND, Owner.SERVICE,
            UsageMeter.KIND, Owner.SERVICE,
            Alert.KIND, Owner.ALERT,
            Pipe.KIND, Owner.PIPE);

    /**
     * The tasks of a thing have its id, those of a message that of its lane, by which the message is found. The backups
     * of a service that is gone are looked after under the id that its meter still has.
     */
    private static final Map<Kind<?>, List<Tasks.Kind>> TASKS = Map.of(
            Service.KIND, List.of(Tasks.Kind.SERVICE, Tasks.Kind.SCALING_SCHEDULE, Tasks.Kind.BACKUP),
            UsageMeter.KIND, List.of(Tasks.Kind.BACKUP),
            Pipe.KIND, List.of(Tasks.Kind.PIPE),
            ReversePrivateEndpoint.KIND, List.of(Tasks.Kind.REVERSE_PRIVATE_ENDPOINT),
            Alert.KIND, List.of(Tasks.Kind.ALERT),
            Delivery.KIND, List.of(Tasks.Kind.DELIVERY));

    private static final Map<String, Kind<?>> KINDS =
            OWNERS.keySet().stream().collect(Collectors.toUnmodifiableMap(Kind::table, kind -> kind));

    private static final int PAGE = 500;
    private static final long VERSIONS = 1L << 62;

    private static final String TASK_TABLE = "tasks";
    private static final int UNSETTLED_SINCE = 6;
    // What is leased is due when it comes back: nobody has begun on it then.
    private static final String TASK_COLUMNS = """
        SELECT kind, subject_id, urgency, CASE WHEN lease_owner IS NULL THEN ready_at ELSE 0 END, wakes, tries,
            unsettled_since FROM tasks\
        """;
    private static final String PUT_TASK = """
        INSERT INTO tasks (kind, subject_id, urgency, ready_at, wakes, tries, unsettled_since, token)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (kind, subject_id) DO UPDATE SET
            urgency = excluded.urgency, ready_at = excluded.ready_at, wakes = excluded.wakes, tries = excluded.tries,
            unsettled_since = excluded.unsettled_since, token = excluded.token, lease_owner = NULL\
        """;
    private static final String KEEPING_TABLE = "keepings";
    private static final String KEEPING_COLUMNS = "key_id, idempotency_key, fingerprint, sealed_answer, kept_at";
    private static final String POINT_TABLE = "metric_points";
    private static final String POINT_COLUMNS = "organization_id, series, minute, count";

    private final Transaction transaction;

    BelongingsTables(Transaction transaction) {
        this.transaction = transaction;
    }

    /** The kinds that have their place here. */
    static Set<Kind<?>> kinds() {
        return OWNERS.keySet();
    }

    @Override
    public void each(@Nullable UUID organizationId, Consumer<KeptRow> to) {
        if (organizationId == null) {
            OWNERS.keySet().forEach(kind -> all(kind, to));
            rows(TASK_TABLE, TASK_COLUMNS, 7, to);
            rows(KEEPING_TABLE, "SELECT " + KEEPING_COLUMNS + " FROM keepings", 5, to);
            rows(POINT_TABLE, "SELECT " + POINT_COLUMNS + " FROM metric_points", 4, to);
            return;
        }
        Set<String> keys = new HashSet<>();
        walk(organizationId, (kind, row) -> {
            to.accept(row);
            if (kind.equals(ApiKey.KIND)) {
                keys.add(row.text(KeptRow.ID));
            }
        });
        eachTask(
                organizationId,
                (kind, subject) -> rows(
                        TASK_TABLE, TASK_COLUMNS + " WHERE kind = ? AND subject_id = ?", 7, to, kind.name(), subject));
        for (String key : keys) {
            rows(KEEPING_TABLE, "SELECT " + KEEPING_COLUMNS + " FROM keepings WHERE key_id = ?", 5, to, key);
        }
        rows(
                POINT_TABLE,
                "SELECT " + POINT_COLUMNS + " FROM metric_points WHERE organization_id = ?",
                4,
                to,
                organizationId.toString());
    }

    @Override
    public Set<UUID> remove(@Nullable UUID organizationId) {
        Set<UUID> gone = new HashSet<>();
        if (organizationId == null) {
            for (Kind<?> kind : OWNERS.keySet()) {
                all(kind, row -> {
                    UUID id = UUID.fromString(row.text(KeptRow.ID));
                    gone.add(id);
                    transaction.changing(DocumentStatements.of(kind), id);
                });
                transaction.change("DELETE FROM " + kind.table());
            }
            List.of(TASK_TABLE, KEEPING_TABLE, POINT_TABLE)
                    .forEach(table -> transaction.change("DELETE FROM " + table));
            return gone;
        }
        eachTask(
                organizationId,
                (kind, subject) -> transaction.change(
                        "DELETE FROM tasks WHERE kind = ? AND subject_id = ?", kind.name(), subject));
        walk(organizationId, (kind, row) -> {
            String id = row.text(KeptRow.ID);
            gone.add(UUID.fromString(id));
            transaction.changing(DocumentStatements.of(kind), UUID.fromString(id));
            if (kind.equals(ApiKey.KIND)) {
                transaction.change("DELETE FROM keepings WHERE key_id = ?", id);
            }
            transaction.change("DELETE FROM " + kind.table() + " WHERE id = ?", id);
        });
        transaction.change("DELETE FROM metric_points WHERE organization_id = ?", organizationId.toString());
        return gone;
    }

    @Override
    public Set<UUID> put(Collection<KeptRow> rows, Instant now) {
        Set<UUID> put = new HashSet<>();
        long version = ThreadLocalRandom.current().nextLong(VERSIONS);
        for (KeptRow row : rows) {
            switch (row.table()) {
                case TASK_TABLE -> putTask(row, now);
                case KEEPING_TABLE -> put(row, KEEPING_COLUMNS);
                case POINT_TABLE -> put(row, POINT_COLUMNS);
                default -> put.add(putDocument(row, version));
            }
        }
        return put;
    }

    private UUID putDocument(KeptRow row, long version) {
        Kind<?> kind = KINDS.get(row.table());
        if (kind == null) {
            throw new IllegalArgumentException("No table is called " + row.table());
        }
        UUID id = UUID.fromString(row.text(KeptRow.ID));
        DocumentStatements<?> statements = DocumentStatements.of(kind);
        transaction.changing(statements, id);
        // What is written once stays at its first version.
        transaction.change(
                "INSERT INTO " + row.table()
                        + " (id, owner_id, reference, created_at, label, document, version) VALUES (?, ?, ?, ?, ?, ?, ?)",
                row.values().get(KeptRow.ID),
                row.values().get(KeptRow.OWNER),
                row.values().get(KeptRow.REFERENCE),
                row.values().get(KeptRow.CREATED_AT),
                row.values().get(KeptRow.LABEL),
                row.values().get(KeptRow.DOCUMENT),
                statements.rows.history() ? 1L : version);
        return id;
    }

    private void putTask(KeptRow row, Instant now) {
        @Nullable Object[] values = row.values().toArray(new Object[8]);
        if (values[UNSETTLED_SINCE] != null) {
            values[UNSETTLED_SINCE] = EpochNanos.of(now);
        }
        values[UNSETTLED_SINCE + 1] = ThreadLocalRandom.current().nextLong(TaskTable.TOKENS);
        transaction.change(PUT_TASK, values);
    }

    private void put(KeptRow row, String columns) {
        String marks = row.values().stream().map(_ -> "?").collect(Collectors.joining(", "));
        transaction.change(
                "INSERT INTO " + row.table() + " (" + columns + ") VALUES (" + marks + ")",
                row.values().toArray());
    }

    private interface Visit {
        void at(Kind<?> kind, KeptRow row);
    }

    private interface Task {
        void of(Tasks.Kind kind, String subject);
    }

    /** Owners before what hangs under them; a row may be removed when it was visited. */
    private void walk(UUID organizationId, Visit visit) {
        Map<Owner, Set<String>> owners = new EnumMap<>(Owner.class);
        for (Owner owner : Owner.values()) {
            owners.put(owner, new LinkedHashSet<>());
        }
        owners.getOrDefault(Owner.ORGANIZATION, Set.of()).add(organizationId.toString());
        for (Owner owner : Owner.values()) {
            for (String id : owners.getOrDefault(owner, Set.of())) {
                OWNERS.forEach((kind, under) -> {
                    if (under == owner) {
                        Set<String> made = owners.getOrDefault(MAKES.getOrDefault(kind, owner), new HashSet<>());
                        boolean makes = MAKES.containsKey(kind);
                        ownedBy(id, kind, row -> {
                            if (makes) {
                                made.add(row.text(KeptRow.ID));
                            }
                            visit.at(kind, row);
                        });
                    }
                });
            }
        }
    }

    private void eachTask(UUID organizationId, Task task) {
        Map<Tasks.Kind, Set<String>> subjects = new HashMap<>();
        walk(
                organizationId,
                (kind, row) -> TASKS.getOrDefault(kind, List.of())
                        .forEach(each -> subjects.computeIfAbsent(each, _ -> new LinkedHashSet<>())
                                .add(row.text(kind.equals(Delivery.KIND) ? KeptRow.REFERENCE : KeptRow.ID))));
        subjects.forEach((kind, ids) -> ids.forEach(id -> task.of(kind, id)));
    }

    private void ownedBy(String owner, Kind<?> kind, Consumer<KeptRow> to) {
        String text =
                select(kind) + " WHERE owner_id = ? AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?";
        long createdAt = Long.MIN_VALUE;
        String id = "";
        List<KeptRow> page;
        do {
            page = list(kind.table(), text, 6, owner, createdAt, id, PAGE);
            for (KeptRow row : page) {
                createdAt = (Long) row.values().get(KeptRow.CREATED_AT);
                id = row.text(KeptRow.ID);
                to.accept(row);
            }
        } while (page.size() == PAGE);
    }

    private void all(Kind<?> kind, Consumer<KeptRow> to) {
        String text = select(kind) + " WHERE id > ? ORDER BY id LIMIT ?";
        String id = "";
        List<KeptRow> page;
        do {
            page = list(kind.table(), text, 6, id, PAGE);
            for (KeptRow row : page) {
                id = row.text(KeptRow.ID);
                to.accept(row);
            }
        } while (page.size() == PAGE);
    }

    private static String select(Kind<?> kind) {
        return "SELECT id, owner_id, reference, created_at, label, document FROM " + kind.table();
    }

    private void rows(String table, String text, int columns, Consumer<KeptRow> to, @Nullable Object... values) {
        list(table, text, columns, values).forEach(to);
    }

    private List<KeptRow> list(String table, String text, int columns, @Nullable Object... values) {
        return transaction.list(text, row -> new KeptRow(table, StoreTransfer.values(row, columns)), values);
    }
}
