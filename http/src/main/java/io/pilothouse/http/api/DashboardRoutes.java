package io.pilothouse.http.api;

import io.pilothouse.core.alert.Dashboard;
import io.pilothouse.core.alert.DashboardDraft;
import io.pilothouse.core.alert.DashboardOperations;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Data;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Request;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import java.util.List;
import java.util.UUID;

/** The operations of dashboards over HTTP. */
public final class DashboardRoutes {
    private static final String DASHBOARDS = "/api/v2/dashboards";
    private static final String DASHBOARD = DASHBOARDS + "/{dashboardId}";
    private static final String DASHBOARD_ID = "dashboardId";

    private final DashboardOperations dashboards;
    private final OnceOnly onceOnly;

    public DashboardRoutes(DashboardOperations dashboards, OnceOnly onceOnly) {
        this.dashboards = dashboards;
        this.onceOnly = onceOnly;
    }

    public List<Route> routes() {
        return List.of(
                new Route("dashboardGetList", Verb.GET, DASHBOARDS, Permission.ALERT_READ, this::list),
                new Route("dashboardCreate", Verb.POST, DASHBOARDS, Permission.ALERT_WRITE, this::create),
                new Route("dashboardGet", Verb.GET, DASHBOARD, Permission.ALERT_READ, this::get),
                new Route("dashboardReplace", Verb.PUT, DASHBOARD, Permission.ALERT_WRITE, this::replace),
                new Route("dashboardDelete", Verb.DELETE, DASHBOARD, Permission.ALERT_WRITE, this::delete));
    }

    private Answer list(Request request) {
        Data.Range range = Data.Range.of(request);
        List<Dashboard> all = dashboards.list(request.permit());
        return Data.list(range, range.of(all), all.size(), DashboardJson::write);
    }

    private Answer create(Request request) {
        Faults faults = new Faults();
        DashboardDraft draft = draft(request.object(faults));
        return onceOnly.answerData(request, () -> {
            Dashboard made = dashboards.create(request.permit(), draft, faults);
            return out -> DashboardJson.write(out, made);
        });
    }

    private Answer get(Request request) {
        Dashboard dashboard = dashboards.get(request.permit(), request.pathId(DASHBOARD_ID));
        return Data.one(request, dashboard, DashboardJson::write);
    }

    private Answer replace(Request request) {
        Faults faults = new Faults();
        UUID dashboardId = request.pathId(DASHBOARD_ID, faults);
        DashboardDraft draft = draft(request.object(faults));
        return changed(dashboards.replace(
                request.permit(), dashboardId, draft, request.precondition(DashboardJson::write), faults));
    }

    private Answer delete(Request request) {
        dashboards.delete(request.permit(), request.pathId(DASHBOARD_ID), request.precondition(DashboardJson::write));
        return Data.done();
    }

    private static Answer changed(Dashboard dashboard) {
        return Data.changed(dashboard, DashboardJson::write);
    }

    private static DashboardDraft draft(RequestBody body) {
        return new DashboardDraft(
                body.text("name"), body.texts("tags"), body.objects("tiles", DashboardRoutes::tileDraft));
    }

    private static DashboardDraft.TileDraft tileDraft(RequestBody tile) {
        RequestBody config = tile.object("config");
        return new DashboardDraft.TileDraft(
                tile.text("id"),
                tile.text("name"),
                tile.number("x"),
                tile.number("y"),
                tile.number("w"),
                tile.number("h"),
                config == null
                        ? null
                        : new DashboardDraft.ConfigDraft(
                                config.text("displayType"),
                                config.text("metric"),
                                config.text("aggregation"),
                                config.textMap("filter"),
                                config.text("groupBy")));
    }
}
