package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.console.plot.Curve;
import io.pilothouse.console.plot.Measure;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.figure.PulseHistory;
import io.pilothouse.core.figure.PulseHistory.Span;
import io.pilothouse.core.figure.Vital;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceOperations;
import io.pilothouse.http.json.Ids;
import io.pilothouse.http.wire.Answer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * How a database was in the last hour or day, drawn from what was seen while it ran. Nothing is asked of it here, so
 * that looking wakes no service and counts as no use.
 */
record ServicePlots(Page page, ServiceOperations services, PulseHistory history, Clock clock) {
    private static final int OK = 200;
    private static final int WIDTH = 300;
    private static final int HEIGHT = 80;
    private static final int SPARK_WIDTH = 60;
    private static final int SPARK_HEIGHT = 18;
    private static final int SPARK_POINTS = 30;
    private static final String ID = "plots";

    /** The page of the plots alone, which is also what the page of the service asks for again and again. */
    Answer show(Visit visit) {
        String[] parts = visit.exchange().path().split("/", -1);
        UUID id = Ids.parse(parts[parts.length - 2]);
        if (id == null) {
            throw Refused.notFound("Service");
        }
        Service service =
                services.get(visit.permitOn(id, Permission.SERVICE_READ), id).service();
        Span span = visit.query().text("span").equals("day") ? Span.DAY : Span.HOUR;
        if (Page.asksForPart(visit)) {
            return Page.part(html -> live(html, service, span));
        }
        return page.of(OK, "Plots of " + service.name(), visit, html -> {
            html.in("h1", () -> html.text("Plots of ").in(tag("a", "href", "/services/" + id), service.name()));
            live(html, service, span);
        });
    }

    /** The part of a page that has them; it asks for itself again as often as there is something new. */
    void live(Html html, Service service, Span span) {
        Page.livePart(html, ID, path(service, span), "60s", () -> {
            html.in(tag("nav", "aria-label", "Time of the plots", "class", "pages"), () -> {
                way(html, service, Span.HOUR, span, "Last hour");
                way(html, service, Span.DAY, span, "Last day");
            });
            all(html, service, span);
        });
    }

    private static String path(Service service, Span span) {
        return "/services/" + service.id() + "/plots?span=" + (span == Span.DAY ? "day" : "hour");
    }

    private static void way(Html html, Service service, Span span, Span shown, String label) {
        html.in(tag("a", "href", path(service, span), "aria-current", span == shown ? "true" : null), label);
    }

    private void all(Html html, Service service, Span span) {
        Instant now = clock.now();
        Map<Vital, List<Double>> columns = history.values(service.id(), span, now);
        if (columns.values().stream().allMatch(column -> Curve.of(column).isEmpty())) {
            html.in(
                    "p",
                    () -> html.text("Nothing was seen of its database in this time. Databases are looked at once a "
                                    + "minute while they run, the oldest " + PulseHistory.MAX_SERVICES
                                    + " where there are more; looking wakes nothing. This program began to look at ")
                            .moment(history.since())
                            .text("."));
            return;
        }
        html.in(tag("div", "class", "plots"), () -> {
            columns.forEach((vital, values) -> plot(html, vital, values, span));
        });
        html.in(
                tag("p", "class", "quiet"),
                () -> html.text(
                                "Looked at once a minute while it runs, and kept in memory. This program began to look at ")
                        .moment(history.since())
                        .text(". Gaps are times in which it did not run."));
        html.in("details", () -> {
            html.in("summary", "The same as a table");
            html.in(Page.wide("Plots as a table"), () -> table(html, columns, span, now));
        });
    }

    private static void plot(Html html, Vital vital, List<Double> values, Span span) {
        Curve curve = Curve.of(values);
        Measure measure = measure(vital);
        String latest = measure.shown(now(values, span));
        String highest = measure.shown(curve.isEmpty() ? Double.NaN : curve.highest());
        html.in("figure", () -> {
            html.in(
                    "figcaption",
                    () -> html.in("strong", label(vital)).text(" now " + latest + ", at most " + highest));
            picture(html, curve, label(vital) + ": now " + latest + ", at most " + highest, WIDTH, HEIGHT);
        });
    }

    /** A line, with what it says for those who do not see it. */
    static void picture(Html html, Curve curve, String says, int width, int height) {
        picture(html, says, width, height, () -> html.one(tag("path", "d", curve.path(width, height))));
    }

    static void picture(Html html, String says, int width, int height, Runnable lines) {
        html.in(
                tag(
                        "svg",
                        "role",
                        "img",
                        "aria-label",
                        says,
                        "viewBox",
                        "0 0 " + width + " " + height,
                        "preserveAspectRatio",
                        "none"),
                lines);
    }

    private static void table(Html html, Map<Vital, List<Double>> columns, Span span, Instant now) {
        html.in("table", () -> {
            html.in(
                    "thead",
                    () -> html.in("tr", () -> {
                        html.in(tag("th", "scope", "col"), span == Span.DAY ? "Quarter of an hour from" : "Minute");
                        for (Vital vital : Vital.values()) {
                            html.in(tag("th", "scope", "col"), label(vital));
                        }
                    }));
            html.in("tbody", () -> {
                int last = columns.values().iterator().next().size() - 1;
                for (int at = last; at >= 0; at--) {
                    row(html, columns, at, span.begin(now, last - at));
                }
            });
        });
    }

    private static void row(Html html, Map<Vital, List<Double>> columns, int at, Instant begin) {
        if (columns.values().stream().allMatch(column -> column.get(at).isNaN())) {
            return;
        }
        html.in("tr", () -> {
            html.in(tag("th", "scope", "row"), () -> html.moment(begin));
            columns.forEach((vital, values) -> html.in("td", measure(vital).shown(values.get(at))));
        });
    }

    /** The last hour of one number in a line of a table, and how it is now. */
    void spark(Html html, Service service, Vital vital) {
        List<Double> values = history.values(service.id(), vital, Span.HOUR, clock.now());
        Curve curve = Curve.of(values);
        if (curve.isEmpty()) {
            html.text("–");
            return;
        }
        Measure measure = measure(vital);
        picture(
                html,
                curve.thinned(SPARK_POINTS),
                "In the last hour at most " + measure.shown(curve.highest()),
                SPARK_WIDTH,
                SPARK_HEIGHT);
        html.text(" " + measure.shown(now(values, Span.HOUR)));
    }

    /** Of the last three minutes, so that one in which nobody has looked yet hides nothing. */
    private static double now(List<Double> values, Span span) {
        int last = span == Span.HOUR ? 3 : 1;
        return values.subList(values.size() - last, values.size()).reversed().stream()
                .filter(value -> !value.isNaN())
                .findFirst()
                .orElse(Double.NaN);
    }

    static String label(Vital vital) {
        return switch (vital) {
            case QUERIES_PER_SECOND -> "Queries";
            case P99_MILLIS -> "Latency, p99";
            case MEMORY_BYTES -> "Memory";
            case DISK_BYTES -> "Disk";
            case CONNECTIONS -> "Connections";
        };
    }

    private static Measure measure(Vital vital) {
        return switch (vital) {
            case QUERIES_PER_SECOND -> Measure.PER_SECOND;
            case P99_MILLIS -> Measure.MILLIS;
            case MEMORY_BYTES, DISK_BYTES -> Measure.BYTES;
            case CONNECTIONS -> Measure.PLAIN;
        };
    }
}
