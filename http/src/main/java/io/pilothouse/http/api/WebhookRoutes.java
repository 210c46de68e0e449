package io.pilothouse.http.api;

import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.delivery.WebhookOperations;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookDraft;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Range;
import io.pilothouse.http.wire.Request;

/** The operations of webhooks over HTTP. */
public record WebhookRoutes(WebhookOperations webhooks, OnceOnly onceOnly) {
    public Answer list(Request request) {
        return Range.of(request).of(webhooks.list(request.checkedPermit()), WebhookJson::write);
    }

    public Answer create(Request request) {
        WebhookDraft draft = draft(request.object());
        return onceOnly.answer(
                        request,
                        () -> webhooks.create(request.permit(), draft, request.faults()),
                        WebhookJson::writeNew)
                .unstored();
    }

    public Answer get(Request request) {
        return request.one(webhooks.get(request.checkedPermit(), request.id("webhookId")), WebhookJson::write);
    }

    public Answer replace(Request request) {
        WebhookDraft draft = draft(request.object());
        Precondition<Webhook> precondition = request.precondition(WebhookJson::write);
        return request.changed(
                webhooks.replace(request.permit(), request.id("webhookId"), draft, precondition, request.faults()),
                WebhookJson::write);
    }

    public Answer delete(Request request) {
        webhooks.delete(request.checkedPermit(), request.id("webhookId"), request.precondition(WebhookJson::write));
        return request.done();
    }

    public Answer test(Request request) {
        return request.untagged(
                webhooks.test(request.checkedPermit(), request.id("webhookId")), WebhookJson::writeTrial);
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
