package io.pilothouse.http.api;

import io.pilothouse.core.activity.ActivityOperations;
import io.pilothouse.core.right.Permit;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.Query;
import io.pilothouse.http.wire.Request;
import java.time.Instant;

/** The operations of activities over HTTP. */
public record ActivityRoutes(ActivityOperations activities) {
    public Answer list(Request request) {
        Query query = request.query();
        Instant from = query.beginning("from_date");
        Instant to = query.end("to_date");
        Permit permit = request.checkedPermit();
        return Listing.answer(
                request, before -> activities.page(permit, from, to, before, Listing.PAGE), ActivityJson::write);
    }

    public Answer get(Request request) {
        return request.one(activities.get(request.checkedPermit(), request.id("activityId")), ActivityJson::write);
    }
}
