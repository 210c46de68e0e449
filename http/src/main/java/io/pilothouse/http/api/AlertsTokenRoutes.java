package io.pilothouse.http.api;

import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.AlertsTokenCreated;
import io.pilothouse.core.key.AlertsTokenOperations;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Request;

/** The operations of the tokens of the alerts interface, which are on the management side. */
public record AlertsTokenRoutes(AlertsTokenOperations tokens, OnceOnly onceOnly) {
    public Answer list(Request request) {
        return Listing.answer(request, tokens.list(request.checkedPermit()), AlertsTokenRoutes::write);
    }

    public Answer create(Request request) {
        String name = request.object().text("name");
        return onceOnly.answer(
                        request,
                        () -> tokens.create(request.permit(), name, request.faults()),
                        AlertsTokenRoutes::writeNew)
                .unstored();
    }

    public Answer delete(Request request) {
        tokens.delete(request.checkedPermit(), request.id("tokenId"), request.precondition(AlertsTokenRoutes::write));
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
