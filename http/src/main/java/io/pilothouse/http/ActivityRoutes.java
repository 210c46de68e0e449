package io.pilothouse.http;

import io.pilothouse.core.domain.Activity;
import io.pilothouse.core.domain.Faults;
import io.pilothouse.core.domain.Permission;
import io.pilothouse.core.operation.ActivityOperations;
import io.pilothouse.core.operation.ActivityPage;
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
        return request.one(Long.toString(activity.version()), out -> ActivityJson.write(out, activity));
    }
}
