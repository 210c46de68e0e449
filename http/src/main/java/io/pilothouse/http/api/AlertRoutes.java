package io.pilothouse.http.api;

import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertDraft;
import io.pilothouse.core.alert.AlertOperations;
import io.pilothouse.core.alert.AlertPage;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.delivery.DeliveryLog;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Range;
import io.pilothouse.http.wire.Request;

/** The operations of alerts over HTTP. */
public record AlertRoutes(AlertOperations alerts, DeliveryLog deliveries, OnceOnly onceOnly) {
    public Answer list(Request request) {
        Range range = Range.of(request);
        AlertPage page = alerts.page(request.checkedPermit(), range.limit(), range.offset());
        return range.answer(page.alerts(), page.total(), AlertJson::write);
    }

    public Answer create(Request request) {
        AlertDraft draft = draft(request.object());
        return onceOnly.answer(
                request, () -> alerts.create(request.permit(), draft, request.faults()), AlertJson::write);
    }

    public Answer get(Request request) {
        return request.one(alerts.get(request.checkedPermit(), request.id("alertId")), AlertJson::write);
    }

    public Answer replace(Request request) {
        AlertDraft draft = draft(request.object());
        Precondition<Alert> precondition = request.precondition(AlertJson::write);
        return request.changed(
                alerts.replace(request.permit(), request.id("alertId"), draft, precondition, request.faults()),
                AlertJson::write);
    }

    public Answer delete(Request request) {
        alerts.delete(request.checkedPermit(), request.id("alertId"), request.precondition(AlertJson::write));
        return request.done();
    }

    public Answer silence(Request request) {
        String mutedUntil = request.object().text("mutedUntil");
        return onceOnly.answer(
                request,
                () -> alerts.silence(request.permit(), request.id("alertId"), mutedUntil, request.faults()),
                AlertJson::write);
    }

    public Answer unsilence(Request request) {
        return request.changed(alerts.unsilence(request.checkedPermit(), request.id("alertId")), AlertJson::write);
    }

    public Answer evaluations(Request request) {
        int limit = request.query().whole("limit", RuleBook.EVALUATION_LIMIT, (int) RuleBook.EVALUATION_LIMIT.max());
        return request.untagged(
                alerts.evaluations(request.checkedPermit(), request.id("alertId"), limit), AlertJson::writeEvaluations);
    }

    public Answer deliveries(Request request) {
        return Range.of(request).of(deliveries.list(request.checkedPermit()), AlertJson::writeDelivery);
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
