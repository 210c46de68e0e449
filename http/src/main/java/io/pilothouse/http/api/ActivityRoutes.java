package io.pilothouse.http.api;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.activity.ActivityOperations;
import io.pilothouse.core.activity.ActivityPage;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.Query;
import io.pilothouse.http.wire.Request;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import java.time.Instant;
import java.util.List;

/** The operations of activities over HTTP. */
public final class ActivityRoutes {
    private static final String ACTIVITIES = "/v1/organizations/{organizationId}/activities";

    private final ActivityOperations activities;

    public ActivityRoutes(ActivityOperations activities) {
        this.activities = activities;
    }

    public List<Route> routes() {
        return List.of(
                new Route("activityGetList", Verb.GET, ACTIVITIES, Permission.ACTIVITY_READ, this::list),
                new Route("activityGet", Verb.GET, ACTIVITIES + "/{activityId}", Permission.ACTIVITY_READ, this::get));
    }

    private Answer list(Request request) {
        Faults faults = new Faults();
        Query query = request.query(faults);
        Instant from = query.moment("from_date");
        Instant to = query.moment("to_date");
        faults.refuseIfAny();
        return Listing.answer(
                request,
                before -> {
                    ActivityPage page = activities.page(request.permit(), from, to, before, Listing.PAGE);
                    return new Listing.Page<>(page.activities(), page.next());
                },
                ActivityJson::write);
    }

    private Answer get(Request request) {
        Activity activity = activities.get(request.permit(), request.pathId("activityId"));
        return request.one(activity, ActivityJson::write);
    }
}
