package io.pilothouse.http.api.timeline;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.timeline.Happening;
import io.pilothouse.core.timeline.ServiceTimeline;
import io.pilothouse.core.timeline.TimelineOperations;
import io.pilothouse.core.timeline.TimelineWords;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Request;

/** Why a service is in its state, over HTTP. It changes by itself, and so has no entity tag. */
public record TimelineRoutes(TimelineOperations timelines) {
    public Answer get(Request request) {
        return request.untagged(timelines.get(request.checkedPermit(), request.id("serviceId")), TimelineRoutes::write);
    }

    private static void write(JsonWriter out, ServiceTimeline timeline) {
        out.startObject();
        out.text("state", timeline.state().word());
        out.text("waiting", timeline.waiting().text());
        out.time("nextLookAt", timeline.nextLook());
        out.time("engineSince", timeline.engineSince());
        out.list("entries", timeline.lines(), TimelineRoutes::write);
        out.endObject();
    }

    private static void write(JsonWriter out, ServiceTimeline.Line line) {
        out.startObject();
        switch (line) {
            case ServiceTimeline.Line.Kept(Activity activity) -> write(out, activity);
            case ServiceTimeline.Line.Engine(Happening happening) -> write(out, happening);
        }
        out.endObject();
    }

    private static void write(JsonWriter out, Activity activity) {
        out.time("at", activity.createdAt());
        out.text("kind", TimelineWords.kind(activity));
        out.text("what", activity.type());
        out.text("actorType", activity.actorType());
        out.text("actorDetails", activity.actorDetails());
        out.id("activityId", activity.id());
        out.id("requestId", activity.requestId());
    }

    private static void write(JsonWriter out, Happening happening) {
        out.time("at", happening.until());
        out.text("kind", TimelineWords.kind(happening.what()));
        out.text("what", TimelineWords.word(happening.what()));
        out.text("reason", TimelineWords.reason(happening.what()));
        out.text("message", happening.what().text());
        if (happening.times() > 1) {
            out.whole("times", happening.times());
            out.time("since", happening.at());
        }
    }
}
