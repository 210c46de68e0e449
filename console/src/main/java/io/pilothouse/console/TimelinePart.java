package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceOperations;
import io.pilothouse.core.timeline.Happening;
import io.pilothouse.core.timeline.Sentence;
import io.pilothouse.core.timeline.ServiceTimeline;
import io.pilothouse.core.timeline.ServiceTimeline.Line;
import io.pilothouse.core.timeline.TimelineOperations;
import io.pilothouse.core.timeline.TimelineWords;
import io.pilothouse.http.wire.Answer;
import java.util.List;
import java.util.UUID;

/** Why a service is in its state: what is being waited for, and what was asked for, seen and done, newest first. */
record TimelinePart(Page page, ServiceOperations services, TimelineOperations timelines) {
    private static final int SHORT = 8;

    /** The page with all of it. */
    Answer show(Visit visit) {
        String[] parts = visit.exchange().path().split("/", -1);
        UUID id = ServicePage.id(parts[parts.length - 2]);
        Service service =
                services.get(visit.permitOn(id, Permission.SERVICE_READ), id).service();
        return page.live(
                visit,
                service.name() + ": timeline",
                "timeline",
                html -> {
                    html.in("h1", service.name() + ": timeline");
                    html.in("p", () -> html.in(tag("a", "href", "/services/" + id), "Back to the service"));
                },
                html -> {
                    html.in("p", () -> FleetPage.state(html, service));
                    write(html, visit, id, Integer.MAX_VALUE);
                });
    }

    /** The part of the page of the service, with the newest of it. */
    void write(Html html, Visit visit, UUID id) {
        write(html, visit, id, SHORT);
    }

    private void write(Html html, Visit visit, UUID id, int most) {
        ServiceTimeline timeline = timelines.get(visit.permitOn(id, Permission.SERVICE_READ), id);
        html.in("h2", "Why it is in this state");
        html.in(tag("p", "class", "waiting"), () -> timeline.waiting().parts().forEach(part -> part(html, part)));
        html.in("h2", "Timeline");
        List<Line> lines = timeline.lines().stream().limit(most).toList();
        html.in(
                tag("ol", "class", "timeline", "aria-label", "What happened, newest first"),
                () -> lines.forEach(line -> line(html, line)));
        html.in(tag("p", "class", "quiet"), () -> {
            html.text("What the engine saw and did is here since ")
                    .moment(timeline.engineSince())
                    .text(". ");
            if (!visit.caller().may(Permission.ACTIVITY_READ)) {
                html.text("This key may not read activities, so what was asked for is left out. ");
            }
            if (lines.size() < timeline.lines().size()) {
                html.in(tag("a", "href", "/services/" + id + "/timeline"), "The whole timeline");
            }
        });
    }

    private static void part(Html html, Sentence.Part part) {
        switch (part) {
            case Sentence.Part.Words(String text) -> html.text(text);
            case Sentence.Part.Moment moment -> html.moment(moment.at());
        }
    }

    private static void line(Html html, Line line) {
        html.in("li", () -> {
            html.moment(line.at()).text(" ");
            switch (line) {
                case Line.Kept(Activity activity) -> wish(html, activity);
                case Line.Engine(Happening happening) -> engine(html, happening);
            }
        });
    }

    private static void wish(Html html, Activity activity) {
        String kind = TimelineWords.kind(activity);
        html.in(tag("span", "class", "kind " + kind), kind).text(" ");
        ServicePage.deed(html, activity);
    }

    private static void engine(Html html, Happening happening) {
        Happening.What what = happening.what();
        html.in(tag("span", "class", "kind"), TimelineWords.kind(what)).text(" ");
        html.in("strong", TimelineWords.word(what));
        if (happening.times() > 1) {
            html.text(", " + happening.times() + " times since ").moment(happening.at());
        }
        html.in(tag("span", "class", "reason quiet"), TimelineWords.reason(what));
        if (what.text() != null) {
            html.in(tag("span", "class", "reason bad"), what.text());
        }
    }
}
