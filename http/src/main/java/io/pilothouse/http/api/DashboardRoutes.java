package io.pilothouse.http.api;

import io.pilothouse.core.alert.Dashboard;
import io.pilothouse.core.alert.DashboardDraft;
import io.pilothouse.core.alert.DashboardOperations;
import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Range;
import io.pilothouse.http.wire.Request;
import java.util.List;

/** The operations of dashboards over HTTP. */
public record DashboardRoutes(DashboardOperations dashboards, OnceOnly onceOnly) {
    public Answer list(Request request) {
        return Range.of(request).of(dashboards.list(request.checkedPermit()), DashboardJson::write);
    }

    public Answer create(Request request) {
        DashboardDraft draft = draft(request.object());
        return onceOnly.answer(
                request, () -> dashboards.create(request.permit(), draft, request.faults()), DashboardJson::write);
    }

    /** A faulty dashboard is an answer here, and its shape is that of clients: no envelope, and paths with dots alone. */
    public Answer validate(Request request) {
        List<Fault> faults = dashboards.validate(draft(request.object()), request.faults());
        return Answer.json(JsonWriter.document(out -> DashboardJson.writeVerdict(out, faults)));
    }

    public Answer get(Request request) {
        return request.one(dashboards.get(request.checkedPermit(), request.id("dashboardId")), DashboardJson::write);
    }

    public Answer replace(Request request) {
        DashboardDraft draft = draft(request.object());
        Precondition<Dashboard> precondition = request.precondition(DashboardJson::write);
        return request.changed(
                dashboards.replace(request.permit(), request.id("dashboardId"), draft, precondition, request.faults()),
                DashboardJson::write);
    }

    public Answer delete(Request request) {
        dashboards.delete(
                request.checkedPermit(), request.id("dashboardId"), request.precondition(DashboardJson::write));
        return request.done();
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
