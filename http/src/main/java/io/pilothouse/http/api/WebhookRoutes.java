package io.pilothouse.http.api;

import io.pilothouse.core.alert.WebhookOperations;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookCreated;
import io.pilothouse.core.webhook.WebhookDraft;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Data;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Request;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import java.util.List;
import java.util.UUID;

/** The operations of webhooks over HTTP. */
public final class WebhookRoutes {
    private static final String WEBHOOKS = "/api/v2/webhooks";
    private static final String WEBHOOK = WEBHOOKS + "/{webhookId}";
    private static final String WEBHOOK_ID = "webhookId";

    private final WebhookOperations webhooks;
    private final OnceOnly onceOnly;

    public WebhookRoutes(WebhookOperations webhooks, OnceOnly onceOnly) {
        this.webhooks = webhooks;
        this.onceOnly = onceOnly;
    }

    public List<Route> routes() {
        return List.of(
                new Route("webhookGetList", Verb.GET, WEBHOOKS, Permission.ALERT_READ, this::list),
                new Route("webhookCreate", Verb.POST, WEBHOOKS, Permission.ALERT_WRITE, this::create),
                new Route("webhookGet", Verb.GET, WEBHOOK, Permission.ALERT_READ, this::get),
                new Route("webhookReplace", Verb.PUT, WEBHOOK, Permission.ALERT_WRITE, this::replace),
                new Route("webhookDelete", Verb.DELETE, WEBHOOK, Permission.ALERT_WRITE, this::delete),
                new Route("webhookTest", Verb.POST, WEBHOOK + "/test", Permission.ALERT_WRITE, this::test));
    }

    private Answer list(Request request) {
        Data.Range range = Data.Range.of(request);
        List<Webhook> all = webhooks.list(request.permit());
        return Data.list(range, range.of(all), all.size(), WebhookJson::write);
    }

    private Answer create(Request request) {
        Faults faults = new Faults();
        WebhookDraft draft = draft(request.object(faults));
        return onceOnly.answerData(request, () -> {
            WebhookCreated made = webhooks.create(request.permit(), draft, faults);
            return out -> WebhookJson.writeNew(out, made);
        });
    }

    private Answer get(Request request) {
        Webhook webhook = webhooks.get(request.permit(), request.pathId(WEBHOOK_ID));
        return Data.one(request, webhook, WebhookJson::write);
    }

    private Answer replace(Request request) {
        Faults faults = new Faults();
        UUID webhookId = request.pathId(WEBHOOK_ID, faults);
        WebhookDraft draft = draft(request.object(faults));
        return changed(
                webhooks.replace(request.permit(), webhookId, draft, request.precondition(WebhookJson::write), faults));
    }

    private Answer delete(Request request) {
        webhooks.delete(request.permit(), request.pathId(WEBHOOK_ID), request.precondition(WebhookJson::write));
        return Data.done();
    }

    private Answer test(Request request) {
        WebhookOperations.Trial trial = webhooks.test(request.permit(), request.pathId(WEBHOOK_ID));
        return Data.one(out -> WebhookJson.writeTrial(out, trial));
    }

    private static Answer changed(Webhook webhook) {
        return Data.changed(webhook, WebhookJson::write);
    }

    private static WebhookDraft draft(RequestBody body) {
        return new WebhookDraft(
                body.text("name"),
                body.text("service"),
                body.text("url"),
                body.text("description"),
                body.text("body"),
                body.textMap("headers"),
                body.textMap("queryParams"),
                body.text("signingSecret"));
    }
}
