package io.pilothouse.http.api;

import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertDraft;
import io.pilothouse.core.alert.AlertEvaluation;
import io.pilothouse.core.alert.AlertOperations;
import io.pilothouse.core.alert.AlertPage;
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

/** The operations of alerts over HTTP. */
public final class AlertRoutes {
    private static final String ALERTS = "/api/v2/alerts";
    private static final String ALERT = ALERTS + "/{alertId}";
    private static final String ALERT_ID = "alertId";
    private static final int MOST_EVALUATIONS = 200;

    private final AlertOperations alerts;
    private final OnceOnly onceOnly;

    public AlertRoutes(AlertOperations alerts, OnceOnly onceOnly) {
        this.alerts = alerts;
        this.onceOnly = onceOnly;
    }

    public List<Route> routes() {
        return List.of(
                new Route("alertGetList", Verb.GET, ALERTS, Permission.ALERT_READ, this::list),
                new Route("alertCreate", Verb.POST, ALERTS, Permission.ALERT_WRITE, this::create),
                new Route("alertGet", Verb.GET, ALERT, Permission.ALERT_READ, this::get),
                new Route("alertReplace", Verb.PUT, ALERT, Permission.ALERT_WRITE, this::replace),
                new Route("alertDelete", Verb.DELETE, ALERT, Permission.ALERT_WRITE, this::delete),
                new Route("alertSilence", Verb.POST, ALERT + "/silenced", Permission.ALERT_WRITE, this::silence),
                new Route("alertUnsilence", Verb.DELETE, ALERT + "/silenced", Permission.ALERT_WRITE, this::unsilence),
                new Route(
                        "alertEvaluationGetList",
                        Verb.GET,
                        ALERT + "/evaluations",
                        Permission.ALERT_READ,
                        this::evaluations));
    }

    private Answer list(Request request) {
        Data.Range range = Data.Range.of(request);
        AlertPage page = alerts.page(request.permit(), range.limit(), range.offset());
        return Data.list(range, page.alerts(), page.total(), AlertJson::write);
    }

    private Answer create(Request request) {
        Faults faults = new Faults();
        AlertDraft draft = draft(request.object(faults));
        return onceOnly.answerData(request, () -> {
            Alert made = alerts.create(request.permit(), draft, faults);
            return out -> AlertJson.write(out, made);
        });
    }

    private Answer get(Request request) {
        Alert alert = alerts.get(request.permit(), request.pathId(ALERT_ID));
        return Data.one(request, alert, AlertJson::write);
    }

    private Answer replace(Request request) {
        Faults faults = new Faults();
        UUID alertId = request.pathId(ALERT_ID, faults);
        AlertDraft draft = draft(request.object(faults));
        return changed(
                alerts.replace(request.permit(), alertId, draft, request.precondition(AlertJson::write), faults));
    }

    private Answer delete(Request request) {
        alerts.delete(request.permit(), request.pathId(ALERT_ID), request.precondition(AlertJson::write));
        return Data.done();
    }

    private Answer silence(Request request) {
        Faults faults = new Faults();
        UUID alertId = request.pathId(ALERT_ID, faults);
        String mutedUntil = request.object(faults).text("mutedUntil");
        return onceOnly.answerData(request, () -> {
            Alert silenced = alerts.silence(request.permit(), alertId, mutedUntil, faults);
            return out -> AlertJson.write(out, silenced);
        });
    }

    private Answer unsilence(Request request) {
        return changed(alerts.unsilence(request.permit(), request.pathId(ALERT_ID)));
    }

    private Answer evaluations(Request request) {
        Faults faults = new Faults();
        UUID alertId = request.pathId(ALERT_ID, faults);
        int limit = request.query(faults).whole("limit", 1, MOST_EVALUATIONS, MOST_EVALUATIONS);
        faults.refuseIfAny();
        List<AlertEvaluation> lines = alerts.evaluations(request.permit(), alertId, limit);
        return Data.one(out -> {
            out.startArray();
            lines.forEach(line -> AlertJson.writeEvaluation(out, line));
            out.endArray();
        });
    }

    private static Answer changed(Alert alert) {
        return Data.changed(alert, AlertJson::write);
    }

    private static AlertDraft draft(RequestBody body) {
        RequestBody channel = body.object("channel");
        return new AlertDraft(
                body.text("name"),
                body.text("message"),
                body.text("note"),
                body.number("threshold"),
                body.number("thresholdMax"),
                body.text("thresholdType"),
                body.text("interval"),
                body.number("scheduleOffsetMinutes"),
                body.given("scheduleStartAt"),
                body.text("scheduleStartAt"),
                body.text("source"),
                body.text("dashboard"),
                body.text("dashboardId"),
                body.text("tileId"),
                channel == null ? null : channel(channel),
                body.objects("channels", AlertRoutes::channel),
                body.number("numConsecutiveWindows"),
                body.text("groupBy"));
    }

    private static AlertDraft.Channel channel(RequestBody body) {
        return new AlertDraft.Channel(body.text("type"), body.text("webhookId"));
    }
}
