package io.pilothouse.core.alert;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.metric.Tile;
import io.pilothouse.core.organization.OrganizationOperations;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.right.Permit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/** The operations on dashboards. An alert never outlives its tile; the built-in dashboards are read-only. */
public final class DashboardOperations {
    private final Store store;
    private final Clock clock;
    private final Wake wake;
    private final ActivityLog log;

    public DashboardOperations(Store store, Clock clock, Wake wake) {
        this.store = store;
        this.clock = clock;
        this.wake = wake;
        this.log = new ActivityLog(clock);
    }

    /** All of them, the built-in ones first, then the oldest first. */
    public List<Dashboard> list(Permit permit) {
        return store.read(tables -> {
            Instant since =
                    OrganizationOperations.get(tables, permit.organizationId()).createdAt();
            List<Dashboard> all = new ArrayList<>(DashboardBuiltIns.all(permit.organizationId(), since));
            all.addAll(tables.of(Dashboard.KIND).page(permit.organizationId(), null, RuleBook.MAX_ALERTS));
            return all;
        });
    }

    public Dashboard get(Permit permit, UUID dashboardId) {
        return store.read(tables -> get(tables, permit, dashboardId));
    }

    public Prepared<Dashboard> create(Permit permit, DashboardDraft draft, Faults faults) {
        Fields fields = fields(draft, faults);
        Instant now = clock.now();
        return tables -> {
            if (tables.of(Dashboard.KIND).count(permit.organizationId()) >= RuleBook.MAX_ALERTS) {
                throw Refused.tooMany(RuleBook.MAX_ALERTS, "dashboards");
            }
            Dashboard made = tables.of(Dashboard.KIND)
                    .insert(new Dashboard(
                            Head.of(tables.newId(now), permit.organizationId(), now),
                            now,
                            fields.name(),
                            fields.tags(),
                            fields.tiles(),
                            false));
            log.add(tables, permit, "dashboard_create", null, made.id(), FieldChange.made("name", made.name()));
            return made;
        };
    }

    /** What would speak against a dashboard, without making one. */
    public List<Fault> validate(DashboardDraft draft, Faults faults) {
        read(draft, faults);
        return faults.list();
    }

    public Dashboard replace(
            Permit permit,
            UUID dashboardId,
            DashboardDraft draft,
            Precondition<Dashboard> precondition,
            Faults faults) {
        Fields fields = fields(draft, faults);
        Instant now = clock.now();
        return store.write(tables -> {
            Dashboard current = changeable(tables, permit, dashboardId);
            precondition.require(() -> current);
            Dashboard next = current.with(fields.name(), fields.tags(), fields.tiles(), now);
            removeAlerts(
                    tables,
                    permit,
                    dashboardId,
                    alert -> next.tile(alert.rule().tileId()).isEmpty());
            log.add(tables, permit, "dashboard_update", null, dashboardId, precondition.changes(current, next));
            return tables.of(Dashboard.KIND).replace(next, current.version()).orElseThrow();
        });
    }

    public void delete(Permit permit, UUID dashboardId, Precondition<Dashboard> precondition) {
        store.write(tables -> {
            Dashboard current = changeable(tables, permit, dashboardId);
            precondition.require(() -> current);
            removeAlerts(tables, permit, dashboardId, _ -> true);
            log.add(tables, permit, "dashboard_delete", null, dashboardId, precondition.gone(current));
            return tables.of(Dashboard.KIND).delete(dashboardId, current.version());
        });
    }

    private void removeAlerts(Tables tables, Permit permit, UUID dashboardId, Predicate<Alert> which) {
        for (Alert alert : AlertOperations.all(tables, permit.organizationId())) {
            if (alert.rule().dashboardId().equals(dashboardId) && which.test(alert)) {
                List<FieldChange> seen = FieldChange.gone("name", alert.rule().name());
                log.add(tables, permit, "alert_delete", null, alert.id(), seen);
                AlertOperations.remove(tables, alert, clock.now());
            }
        }
        tables.afterCommit(wake::nudge);
    }

    /** The dashboard that a request asks for. */
    private record Fields(String name, List<String> tags, List<Tile> tiles) {}

    private static Fields fields(DashboardDraft draft, Faults faults) {
        Fields fields = read(draft, faults);
        faults.refuseIfAny();
        return fields;
    }

    private static Fields read(DashboardDraft draft, Faults faults) {
        DashboardRules check = new DashboardRules(faults);
        return new Fields(check.name(draft.name()), check.tags(draft.tags()), check.tiles(draft.tiles()));
    }

    /** A dashboard of the organization, built-in or created. */
    static Optional<Dashboard> find(Tables tables, UUID organizationId, UUID dashboardId) {
        Instant since = OrganizationOperations.get(tables, organizationId).createdAt();
        return DashboardBuiltIns.find(organizationId, since, dashboardId)
                .or(() -> tables.of(Dashboard.KIND).find(organizationId, dashboardId));
    }

    private static Dashboard get(Tables tables, Permit permit, UUID dashboardId) {
        return find(tables, permit.organizationId(), dashboardId).orElseThrow(() -> Refused.notFound("Dashboard"));
    }

    private static Dashboard changeable(Tables tables, Permit permit, UUID dashboardId) {
        Dashboard dashboard = get(tables, permit, dashboardId);
        if (dashboard.builtIn()) {
            throw new Refused(Refused.Reason.CONFLICT, "A built-in dashboard cannot be changed: make one of your own");
        }
        return dashboard;
    }
}
