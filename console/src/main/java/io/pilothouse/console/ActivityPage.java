package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.activity.ActivityOperations;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.wire.Answer;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What happened in the organization, newest first, a page at a time, with what was before and after. */
record ActivityPage(Page page, ActivityOperations activities) {
    private static final int OK = 200;
    private static final int MAX_SHOWN = 50;

    Answer show(Visit visit) {
        FleetQuery query = FleetQuery.of(visit.query());
        io.pilothouse.core.port.Page<Activity> found =
                activities.page(visit.permit(Permission.ACTIVITY_READ), null, null, query.cursor(), MAX_SHOWN);
        return page.of(OK, "Activities", visit, html -> {
            html.in("h1", "Activities");
            if (found.items().isEmpty()) {
                html.in("p", "Nothing has happened yet. Every change leaves a line here.");
            } else {
                html.in(Page.wide("Activities"), () -> table(html, found.items()));
            }
            older(html, query, found.next());
        });
    }

    private static void older(Html html, FleetQuery query, Table.@Nullable Cursor next) {
        html.in(tag("p", "class", "pages"), () -> {
            if (!query.after().isEmpty()) {
                html.in(tag("a", "href", "/activities"), "The newest");
            }
            if (next != null) {
                html.in(tag("a", "href", "/activities" + query.text(next), "rel", "next"), "Older ones");
            }
        });
    }

    private static void table(Html html, List<Activity> lines) {
        html.in("table", () -> {
            html.in(tag("caption", "class", "quiet"), lines.size() + " shown, newest first");
            html.in(
                    "thead",
                    () -> html.in(
                            "tr",
                            () -> List.of("When", "What", "By", "From", "On", "Before and after")
                                    .forEach(name -> html.in(tag("th", "scope", "col"), name))));
            html.in("tbody", () -> lines.forEach(line -> row(html, line)));
        });
    }

    private static void row(Html html, Activity line) {
        html.in("tr", () -> {
            html.in(tag("th", "scope", "row"), () -> html.moment(line.createdAt()));
            html.in("td", line.type());
            html.in("td", ServicePage.actor(line));
            html.in("td", line.client() == null ? "" : line.client().host());
            html.in("td", () -> subject(html, line.serviceId(), line.subjectId()));
            html.in("td", ServicePage.changes(line));
        });
    }

    private static void subject(Html html, @Nullable UUID serviceId, @Nullable UUID subjectId) {
        if (serviceId != null) {
            html.in(tag("a", "href", "/services/" + serviceId), "service");
        } else if (subjectId != null) {
            html.in("code", subjectId.toString());
        }
    }
}
