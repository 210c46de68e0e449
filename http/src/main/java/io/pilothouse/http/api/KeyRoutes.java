package io.pilothouse.http.api;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.key.KeyChange;
import io.pilothouse.core.key.KeyDraft;
import io.pilothouse.core.key.KeyOperations;
import io.pilothouse.core.key.NewKey;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Request;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import java.util.List;
import java.util.UUID;

/** The operations of keys over HTTP. */
public final class KeyRoutes {
    private static final String KEYS = "/v1/organizations/{organizationId}/keys";
    private static final String KEY = KEYS + "/{keyId}";
    private static final String KEY_ID = "keyId";

    private final KeyOperations keys;
    private final OnceOnly onceOnly;

    public KeyRoutes(KeyOperations keys, OnceOnly onceOnly) {
        this.keys = keys;
        this.onceOnly = onceOnly;
    }

    public List<Route> routes() {
        return List.of(
                new Route("openapiKeyGetList", Verb.GET, KEYS, Permission.KEY_READ, this::list),
                new Route("openapiKeyCreate", Verb.POST, KEYS, Permission.KEY_WRITE, this::create),
                new Route("openapiKeyGet", Verb.GET, KEY, Permission.KEY_READ, this::get),
                new Route("openapiKeyUpdate", Verb.PATCH, KEY, Permission.KEY_WRITE, this::update),
                new Route("openapiKeyDelete", Verb.DELETE, KEY, Permission.KEY_WRITE, this::delete));
    }

    private Answer list(Request request) {
        return Listing.answer(request, after -> new Listing.Page<>(keys.list(request.permit()), null), KeyJson::write);
    }

    private Answer create(Request request) {
        Faults faults = new Faults();
        RequestBody body = request.object(faults);
        RequestBody hashData = body.object("hashData");
        KeyDraft.Hashes hashes = hashData == null
                ? null
                : new KeyDraft.Hashes(
                        hashData.text("keyIdHash"), hashData.text("keyIdSuffix"), hashData.text("keySecretHash"));
        KeyDraft draft = new KeyDraft(
                body.text("name"),
                body.text("state"),
                body.texts("roles"),
                body.texts("assignedRoleIds"),
                body.text("expireAt"),
                body.objects("ipAccessList", ServiceRoutes::readAccessEntry),
                hashes);
        return onceOnly.answer(request, () -> {
            NewKey made = keys.create(request.permit(), draft, faults);
            return out -> KeyJson.writeNew(out, made);
        });
    }

    private Answer get(Request request) {
        ApiKey key = keys.get(request.permit(), request.pathId(KEY_ID));
        return request.one(key, KeyJson::write);
    }

    private Answer update(Request request) {
        Faults faults = new Faults();
        UUID keyId = request.pathId(KEY_ID, faults);
        RequestBody body = request.object(faults);
        KeyChange change = new KeyChange(
                body.text("name"),
                body.text("state"),
                body.texts("roles"),
                body.texts("assignedRoleIds"),
                body.given("expireAt"),
                body.text("expireAt"),
                body.objects("ipAccessList", ServiceRoutes::readAccessEntry));
        ApiKey updated = keys.update(request.permit(), keyId, change, request.precondition(KeyJson::write), faults);
        return request.changed(updated, KeyJson::write);
    }

    private Answer delete(Request request) {
        keys.delete(request.permit(), request.pathId(KEY_ID), request.precondition(KeyJson::write));
        return request.done();
    }
}
