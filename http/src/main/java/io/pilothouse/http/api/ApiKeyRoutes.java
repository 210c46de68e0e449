package io.pilothouse.http.api;

import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.key.ApiKeyChange;
import io.pilothouse.core.key.ApiKeyDraft;
import io.pilothouse.core.key.ApiKeyOperations;
import io.pilothouse.core.key.ApiKeyView;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Request;

/** The operations of keys over HTTP. */
public record ApiKeyRoutes(ApiKeyOperations keys, OnceOnly onceOnly) {
    public Answer list(Request request) {
        return Listing.answer(request, keys.list(request.checkedPermit()), ApiKeyJson::write);
    }

    public Answer whoami(Request request) {
        return request.one(request.checkedPermit().caller(), ApiKeyJson::writeCaller);
    }

    public Answer create(Request request) {
        RequestBody body = request.object();
        RequestBody hashData = body.object("hashData");
        ApiKeyDraft.Hashes hashes = hashData == null
                ? null
                : new ApiKeyDraft.Hashes(
                        hashData.text("keyIdHash"), hashData.text("keyIdSuffix"), hashData.text("keySecretHash"));
        ApiKeyDraft draft = new ApiKeyDraft(
                body.text("name"),
                body.text("state"),
                body.texts("roles"),
                body.texts("assignedRoleIds"),
                body.text("expireAt"),
                body.objects("ipAccessList", ServiceRoutes::readAccessEntry),
                hashes);
        return onceOnly.answer(
                        request, () -> keys.create(request.permit(), draft, request.faults()), ApiKeyJson::writeNew)
                .unstored();
    }

    public Answer get(Request request) {
        return request.one(ApiKeyJson.shown(keys.get(request.checkedPermit(), request.id("keyId"))));
    }

    public Answer update(Request request) {
        RequestBody body = request.object();
        ApiKeyChange change = new ApiKeyChange(
                body.text("name"),
                body.text("state"),
                body.texts("roles"),
                body.texts("assignedRoleIds"),
                body.given("expireAt"),
                body.text("expireAt"),
                body.objects("ipAccessList", ServiceRoutes::readAccessEntry));
        Precondition<ApiKeyView> precondition = request.precondition(ApiKeyJson::writeUnused);
        return request.changed(ApiKeyJson.shown(
                keys.update(request.permit(), request.id("keyId"), change, precondition, request.faults())));
    }

    public Answer delete(Request request) {
        keys.delete(request.checkedPermit(), request.id("keyId"), request.precondition(ApiKeyJson::writeUnused));
        return request.done();
    }
}
