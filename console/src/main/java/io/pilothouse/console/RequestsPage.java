package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.console.request.RequestRing;
import io.pilothouse.console.request.SeenRequest;
import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.activity.ActivityOperations;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.json.Ids;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Verb;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The latest requests of the API by keys of this organization, as they come. Keys that may read activities see them;
 * bodies are for the key that sent them and for keys that may make keys, because any key may be behind a request.
 */
record RequestsPage(Page page, RequestRing ring, ActivityOperations activities) {
    private static final int OK = 200;
    private static final int MAX_SHOWN = 100;
    private static final int MAX_ACTIVITIES = 200;
    /** Its activities are written while it is handled; moments of the store have another precision. */
    private static final Duration AROUND = Duration.ofSeconds(1);

    Answer show(Visit visit) {
        visit.permit(Permission.ACTIVITY_READ);
        Fields query = visit.query();
        String wanted = query.text("find");
        boolean onlyChanges = !query.text("changes").isEmpty();
        Predicate<SeenRequest> like = SeenRequest.with(wanted);
        List<SeenRequest> found = ring.latest(
                visit.caller().organizationId(),
                request -> (!onlyChanges || request.changes()) && like.test(request),
                MAX_SHOWN);
        return page.live(
                visit,
                "Requests",
                "requests",
                html -> head(html, wanted, onlyChanges),
                html -> list(html, visit, found));
    }

    private static void head(Html html, String wanted, boolean onlyChanges) {
        html.in("h1", "Requests");
        html.in(tag("form", "method", "get", "action", "/requests", "class", "filter", "role", "search"), () -> {
            html.in("label", () -> {
                html.in("span", "Id, key, address, client, path or status contains");
                html.one(tag("input", "type", "search", "name", "find", "value", wanted));
            });
            html.in("label", () -> {
                html.in("span", "Only changes");
                html.one(tag(
                        "input",
                        "type",
                        "checkbox",
                        "name",
                        "changes",
                        "value",
                        "true",
                        "checked",
                        onlyChanges ? "checked" : null));
            });
            html.in(tag("button", "type", "submit"), "Show");
        });
    }

    private static void list(Html html, Visit visit, List<SeenRequest> found) {
        if (found.isEmpty()) {
            html.in(
                    "p",
                    "No request of the API like that is remembered. They are kept in memory, the latest of each "
                            + "organization: send one, and it shows here.");
            return;
        }
        html.in("table", () -> {
            html.in(tag("caption", "class", "quiet"), found.size() + " shown, the latest first");
            html.in(
                    "thead",
                    () -> html.in(
                            "tr",
                            () -> List.of("When", "Request", "Status", "Took", "Key", "From", "Client")
                                    .forEach(name -> html.in(tag("th", "scope", "col"), name))));
            html.in("tbody", () -> found.forEach(request -> row(html, visit, request)));
        });
    }

    private static void row(Html html, Visit visit, SeenRequest request) {
        html.in(tag("tr", "id", "request-" + request.requestId()), () -> {
            html.in("td", () -> html.moment(request.at()));
            html.in(
                    "td",
                    () -> html.in(
                            tag("a", "href", "/requests/" + request.requestId()),
                            request.verb() + " " + request.target().replace(visit.organizationPath(), "…")));
            html.in("td", () -> status(html, request));
            html.in("td", took(request));
            html.in("td", () -> link(html, request.sender().keyName()));
            html.in("td", () -> link(html, request.sender().address()));
            html.in("td", () -> link(html, request.sender().agent()));
        });
    }

    /** Leads to all requests like this one. */
    private static void link(Html html, String text) {
        if (text.isEmpty()) {
            html.text("unnamed");
            return;
        }
        html.in(tag("a", "href", "/requests?find=" + URLEncoder.encode(text, StandardCharsets.UTF_8)), text);
    }

    private static void status(Html html, SeenRequest request) {
        html.in(
                tag("span", "class", request.refused() ? "state failed" : "state running"),
                Integer.toString(request.status()));
        if (!request.fault().isEmpty()) {
            html.text(" by fault " + request.fault());
        }
    }

    private static String took(SeenRequest request) {
        return String.format(Locale.ROOT, "%.1f ms", request.took().toNanos() / 1e6);
    }

    Answer one(Visit visit) {
        UUID id = Ids.parse(visit.last());
        SeenRequest request = id == null
                ? null
                : ring.find(visit.caller().organizationId(), id).orElse(null);
        List<Activity> lines = request == null ? List.of() : lines(visit, request);
        if (request == null) {
            visit.permit(Permission.ACTIVITY_READ);
            throw Refused.notFound("Request");
        }
        return page.of(OK, "Request", visit, html -> {
            html.in("h1", request.verb() + " " + request.target());
            html.in("p", () -> {
                status(html, request);
                html.text(" after " + took(request) + " · ").moment(request.at());
            });
            html.in("p", () -> {
                html.text("Key ");
                link(html, request.sender().keyName());
                html.text(" · from ");
                link(html, request.sender().address());
                html.text(" · client ");
                link(html, request.sender().agent());
            });
            html.in(
                    "p",
                    () -> html.text("Request ").in("code", request.requestId().toString()));
            html.in("h2", "What it changed");
            if (lines.isEmpty()) {
                html.in("p", "Nothing.");
            } else {
                html.in(
                        tag("ol", "class", "wide"),
                        () -> lines.forEach(line -> html.in("li", () -> ServicePage.line(html, line))));
            }
            bodies(html, visit, request);
        });
    }

    private List<Activity> lines(Visit visit, SeenRequest request) {
        return activities
                .page(
                        visit.permit(Permission.ACTIVITY_READ),
                        request.at().minus(AROUND),
                        request.at().plus(request.took()).plus(AROUND),
                        null,
                        MAX_ACTIVITIES)
                .items()
                .stream()
                .filter(line -> request.requestId().equals(line.requestId()))
                .toList();
    }

    private static void bodies(Html html, Visit visit, SeenRequest request) {
        if (!request.sender().keyId().equals(visit.caller().keyId())
                && !visit.caller().may(Permission.KEY_CREATE)) {
            html.in("p", "What was sent is shown to the key that sent it, and to keys that may make keys.");
            return;
        }
        if (request.runsSql()) {
            html.in("p", "Its statement is not kept, because SQL can hold secrets anywhere.");
        } else if (request.sent().bytes() == 0 || request.sent().json() != null) {
            html.in("h2", "The same with curl");
            ApiCall call =
                    new ApiCall(request.verb(), request.target(), request.sent().json());
            Page.copied(html, "curl", call.curl(visit.api()));
            if (request.verb() != Verb.GET) {
                html.in("h2", "The same with Terraform");
                Page.copied(html, "terraform", call.terraform());
            }
        }
        body(html, "Body", request.sent());
        body(html, "Answer", request.answered());
    }

    private static void body(Html html, String title, SeenRequest.Body body) {
        if (body.bytes() == 0) {
            return;
        }
        html.in("h2", title);
        String json = body.json();
        if (json == null) {
            html.in("p", body.bytes() + " bytes, which are not kept: too long, or not JSON.");
        } else {
            html.in("p", "Secrets are ***.");
            html.in("pre", json);
        }
    }
}
