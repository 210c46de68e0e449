package io.pilothouse.http.api;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.AlertsTokenCreated;
import io.pilothouse.core.key.AlertsTokenOperations;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Request;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import java.util.List;

/** The operations of the tokens of the alerts interface, which are on the management side. */
public final class AlertsTokenRoutes {
    private static final String TOKENS = "/v1/organizations/{organizationId}/alertsTokens";
    private static final String TOKEN = TOKENS + "/{tokenId}";

    private final AlertsTokenOperations tokens;
    private final OnceOnly onceOnly;

    public AlertsTokenRoutes(AlertsTokenOperations tokens, OnceOnly onceOnly) {
        this.tokens = tokens;
        this.onceOnly = onceOnly;
    }

    public List<Route> routes() {
        return List.of(
                new Route("alertsTokenGetList", Verb.GET, TOKENS, Permission.KEY_READ, this::list),
                new Route("alertsTokenCreate", Verb.POST, TOKENS, Permission.KEY_WRITE, this::create),
                new Route("alertsTokenDelete", Verb.DELETE, TOKEN, Permission.KEY_WRITE, this::delete));
    }

    private Answer list(Request request) {
        return Listing.answer(
                request, after -> new Listing.Page<>(tokens.list(request.permit()), null), AlertsTokenRoutes::write);
    }

    private Answer create(Request request) {
        Faults faults = new Faults();
        String name = request.object(faults).text("name");
        return onceOnly.answer(request, () -> {
            AlertsTokenCreated made = tokens.create(request.permit(), name, faults);
            return out -> writeNew(out, made);
        });
    }

    private Answer delete(Request request) {
        tokens.delete(request.permit(), request.pathId("tokenId"), request.precondition(AlertsTokenRoutes::write));
        return request.done();
    }

    private static void writeNew(JsonWriter out, AlertsTokenCreated made) {
        out.startObject();
        out.name("token");
        write(out, made.token());
        out.text("accessToken", made.accessToken());
        out.endObject();
    }

    private static void write(JsonWriter out, AlertsToken token) {
        out.startObject();
        out.id("id", token.id());
        out.text("name", token.name());
        out.time("createdAt", token.createdAt());
        out.text("tokenSuffix", token.tokenSuffix());
        out.time("usedAt", token.usedAt());
        out.endObject();
    }
}
