package io.pilothouse.core.alert;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.metric.Tile;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.webhook.Webhook;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The operations on alerts: each writes what to watch and wakes the engine, which evaluates it. */
public final class AlertOperations {

    private static final int PAGE = 200;

    private final Store store;
    private final Clock clock;
    private final Wake wake;
    private final ActivityLog log;

    public AlertOperations(Store store, Clock clock, Wake wake) {
        this.store = store;
        this.clock = clock;
        this.wake = wake;
        this.log = new ActivityLog(clock);
    }

    /** The alerts from {@code offset} on, oldest first, and how many there are. */
    public AlertPage page(Permit permit, int limit, int offset) {
        Instant now = clock.now();
        return store.read(tables -> {
            List<Alert> all = all(tables, permit.organizationId());
            List<Alert> page = all.stream()
                    .skip(offset)
                    .limit(limit)
                    .map(alert -> shown(alert, now))
                    .toList();
            return new AlertPage(page, all.size());
        });
    }

    public Alert get(Permit permit, UUID alertId) {
        return shown(store.read(tables -> get(tables, permit, alertId)), clock.now());
    }

    /** The lines of an alert's history, newest first. */
    public List<AlertEvaluation> evaluations(Permit permit, UUID alertId, int limit) {
        return store.read(tables -> {
            Alert alert = get(tables, permit, alertId);
            return tables.of(AlertEvaluation.KIND).pageBackwards(alert.id(), null, limit);
        });
    }

    public Prepared<Alert> create(Permit permit, AlertDraft draft, Faults faults) {
        Instant now = clock.now();
        AlertRule rule = rule(draft, null, faults, now);
        return tables -> {
            if (tables.of(Alert.KIND).count(permit.organizationId()) >= RuleBook.MAX_ALERTS) {
                throw Refused.tooMany(RuleBook.MAX_ALERTS, "alerts");
            }
            AlertRule checked = checked(tables, permit, rule);
            UUID id = tables.newId(now);
            AlertWatch watch = AlertWatch.from(checked.schedule().begin(now));
            Alert made = tables.of(Alert.KIND)
                    .insert(new Alert(Head.of(id, permit.organizationId(), now), now, false, checked, null, watch));
            log.add(tables, permit, "alert_create", null, id, FieldChange.made("name", checked.name()));
            watch(tables, id);
            return made;
        };
    }

    public Alert replace(
            Permit permit, UUID alertId, AlertDraft draft, Precondition<Alert> precondition, Faults faults) {
        Instant now = clock.now();
        // Faults of the draft itself are found before the alert is looked up, and outside the transaction.
        rule(draft, null, faults, now);
        return store.write(tables -> {
            Alert current = get(tables, permit, alertId);
            precondition.require(() -> shown(current, now));
            AlertRule next = checked(tables, permit, rule(draft, current.rule(), new Faults(), now));
            Alert kept = replace(tables, current.withRule(next, now), current);
            List<FieldChange> changes = precondition.changes(shown(current, now), shown(kept, now));
            log.add(tables, permit, "alert_update", null, alertId, changes);
            watch(tables, alertId);
            return shown(kept, now);
        });
    }

    public void delete(Permit permit, UUID alertId, Precondition<Alert> precondition) {
        Instant now = clock.now();
        store.write(tables -> {
            Alert current = get(tables, permit, alertId);
            if (current.builtIn()) {
                throw new Refused(
                        Refused.Reason.CONFLICT,
                        "A built-in alert cannot be deleted: silence it, or point it elsewhere");
            }
            precondition.require(() -> shown(current, now));
            log.add(tables, permit, "alert_delete", null, alertId, precondition.gone(shown(current, now)));
            tables.afterCommit(wake::nudge);
            return remove(tables, current, now);
        });
    }

    public Prepared<Alert> silence(Permit permit, UUID alertId, @Nullable String mutedUntil, Faults faults) {
        Instant now = clock.now();
        Instant until = new AlertRules(faults, now).mutedUntil(mutedUntil);
        faults.refuseIfAny();
        AlertSilence silence =
                until == null ? null : new AlertSilence(permit.caller().keyName(), now, until);
        return withSilence(permit, alertId, "alert_silence", silence);
    }

    public Alert unsilence(Permit permit, UUID alertId) {
        return store.write(withSilence(permit, alertId, "alert_unsilence", null)::write);
    }

    private Prepared<Alert> withSilence(
            Permit permit, UUID alertId, String activityType, @Nullable AlertSilence silence) {
        return tables -> {
            Alert current = get(tables, permit, alertId);
            List<FieldChange> changes = FieldChange.between(shown(current.silence()), shown(silence));
            log.add(tables, permit, activityType, null, alertId, changes);
            watch(tables, alertId);
            return replace(tables, current.withSilence(silence), current);
        };
    }

    /** As the alert shows it. */
    private static Tree.Members shown(@Nullable AlertSilence silence) {
        return silence == null
                ? Tree.Members.NONE
                : Tree.Members.NONE.with(
                        "silenced",
                        Tree.Members.NONE
                                .with("by", new Tree.Text(silence.by()))
                                .with("at", new Tree.Text(silence.at().toString()))
                                .with("until", new Tree.Text(silence.until().toString())));
    }

    private static AlertRule rule(AlertDraft draft, @Nullable AlertRule before, Faults faults, Instant now) {
        AlertRule rule = new AlertRules(faults, now).rule(draft, before);
        faults.refuseIfAny();
        if (rule == null) {
            throw new IllegalStateException("A draft without faults makes a rule");
        }
        return rule;
    }

    /** The rule, after checking that everything it refers to exists; a rule without a name gets its tile's. */
    private static AlertRule checked(Tables tables, Permit permit, AlertRule rule) {
        Faults faults = new Faults();
        Optional<Dashboard> dashboard = DashboardOperations.find(tables, permit.organizationId(), rule.dashboardId());
        Optional<Tile> tile = dashboard.flatMap(found -> found.tile(rule.tileId()));
        if (dashboard.isEmpty()) {
            faults.add("", "Dashboard not found");
        } else if (tile.isEmpty()) {
            faults.add("", "Tile not found");
        }
        for (AlertChannel channel : rule.channels()) {
            if (channel instanceof AlertChannel.ToWebhook(UUID webhookId)
                    && tables.of(Webhook.KIND)
                            .find(permit.organizationId(), webhookId)
                            .isEmpty()) {
                faults.add("", "Webhook not found");
            }
        }
        faults.refuseIfAny();
        return rule.name().isEmpty() ? rule.named(tile.map(Tile::name).orElse("")) : rule;
    }

    public static List<Alert> all(Tables tables, UUID organizationId) {
        return tables.of(Alert.KIND).page(organizationId, null, RuleBook.MAX_ALERTS);
    }

    /** Deletes an alert with its history, and notifies the channels that know that it fires. */
    static boolean remove(Tables tables, Alert alert, Instant now) {
        DeliveryQueue.add(tables, alert, AlertNotice.farewell(alert, now), now);
        Table<AlertEvaluation> history = tables.of(AlertEvaluation.KIND);
        List<AlertEvaluation> lines = history.page(alert.id(), null, PAGE);
        while (!lines.isEmpty()) {
            lines.forEach(line -> history.delete(line.id(), line.version()));
            lines = history.page(alert.id(), null, PAGE);
        }
        // Its task ends by itself once it no longer finds the alert.
        tables.tasks().wake(Tasks.Kind.ALERT, alert.id(), Tasks.Urgency.ROUTINE, now);
        return tables.of(Alert.KIND).delete(alert.id(), alert.version());
    }

    private static Alert get(Tables tables, Permit permit, UUID alertId) {
        return tables.of(Alert.KIND)
                .find(permit.organizationId(), alertId)
                .orElseThrow(() -> Refused.notFound("Alert"));
    }

    private static Alert replace(Tables tables, Alert next, Alert current) {
        return tables.of(Alert.KIND).replace(next, current.version()).orElseThrow();
    }

    /** A silence that has ended does not count. */
    private static Alert shown(Alert alert, Instant now) {
        return alert.withSilence(alert.silence(now));
    }

    private void watch(Tables tables, UUID alertId) {
        tables.tasks().wake(Tasks.Kind.ALERT, alertId, Tasks.Urgency.CHANGED, clock.now());
        tables.afterCommit(wake::nudge);
    }
}
