package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.core.figure.Vital;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceState;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Verb;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** All services of the organization that the key may read, a page at a time; the browser asks for the table again. */
final class FleetPage {
    private static final List<Vital> SPARKS =
            List.of(Vital.QUERIES_PER_SECOND, Vital.P99_MILLIS, Vital.MEMORY_BYTES, Vital.CONNECTIONS);
    private static final String COST = "Credits today";
    private static final String FIRST_SERVICE =
            "{\"name\": \"My first service\", \"ipAccessList\": " + "[{\"source\": \"127.0.0.1\"}]}";

    private final Page page;
    private final FleetSearch search;
    private final ServicePlots plots;
    private final Costs costs;

    FleetPage(Page page, FleetSearch search, ServicePlots plots, Costs costs) {
        this.page = page;
        this.search = search;
        this.plots = plots;
        this.costs = costs;
    }

    Answer show(Visit visit) {
        FleetQuery query = FleetQuery.of(visit.query());
        FleetSearch.Found found = search.find(visit.permit(Permission.SERVICE_LIST), query);
        return page.live(
                visit,
                "Services",
                "fleet",
                html -> {
                    html.in("h1", "Services");
                    html.in(
                            "p",
                            () -> html.in(tag("a", "class", "button", "href", "/new-service"), "Create a service"));
                    filter(html, query);
                },
                html -> table(html, visit, query, found));
    }

    private static void filter(Html html, FleetQuery query) {
        html.in(tag("form", "method", "get", "action", "/", "class", "filter", "role", "search"), () -> {
            html.in("label", () -> {
                html.in("span", "Name contains");
                html.one(tag("input", "type", "search", "name", "name", "value", query.name()));
            });
            html.in("label", () -> {
                html.in("span", "State");
                html.in(tag("select", "name", "state"), () -> {
                    option(html, "", "any", query.state().isEmpty());
                    for (ServiceState state : ServiceState.values()) {
                        option(html, state.word(), state.word(), query.state().equals(state.word()));
                    }
                });
            });
            html.in("label", () -> {
                html.in("span", "Sort by");
                html.in(tag("select", "name", "sort"), () -> {
                    for (FleetQuery.Sort sort : FleetQuery.Sort.values()) {
                        option(html, sort.word(), sort.word(), query.sort() == sort);
                    }
                });
            });
            html.in(tag("button", "type", "submit"), "Show");
        });
    }

    private static void option(Html html, String value, String shown, boolean selected) {
        html.in(tag("option", "value", value, "selected", selected ? "selected" : null), shown);
    }

    private void table(Html html, Visit visit, FleetQuery query, FleetSearch.Found found) {
        if (found.services().isEmpty()) {
            nothing(html, visit, query);
        } else {
            Optional<Map<UUID, Double>> spent = costs.today(visit, found.services());
            html.in("table", () -> {
                html.in(tag("caption", "class", "quiet"), caption(query, found));
                html.in(
                        "thead",
                        () -> html.in(
                                "tr",
                                () -> List.of(
                                                "Name",
                                                "State",
                                                "Version",
                                                "Memory",
                                                "Replicas",
                                                "Queries",
                                                "p99",
                                                "Memory used",
                                                "Connections",
                                                COST,
                                                "Region",
                                                "Made")
                                        .stream()
                                        .filter(name -> spent.isPresent() || !name.equals(COST))
                                        .forEach(name -> html.in(tag("th", "scope", "col"), name))));
                html.in("tbody", () -> found.services().forEach(service -> row(html, service, spent)));
            });
        }
        html.in(tag("p", "class", "pages"), () -> {
            if (!query.after().isEmpty() || query.skip() > 0) {
                html.in(tag("a", "href", "/" + query.begun()), "From the beginning");
            }
            Table.Cursor next = found.next();
            if (found.more()) {
                String path = "/" + query.skipping(query.skip() + FleetSearch.MAX_SHOWN);
                html.in(tag("a", "href", path, "rel", "next"), "More services");
            } else if (next != null) {
                html.in(tag("a", "href", "/" + query.text(next), "rel", "next"), "More services");
            }
        });
    }

    private static String caption(FleetQuery query, FleetSearch.Found found) {
        String order = query.sort() == FleetQuery.Sort.CREATED
                ? "in the order in which they were made"
                : "sorted by " + query.sort().word();
        return found.services().size() + " shown, " + order
                + (query.searches() ? ", of " + found.lookedAt() + " that were looked at" : "");
    }

    private static void nothing(Html html, Visit visit, FleetQuery query) {
        if (query.filters() || !query.after().isEmpty() || query.skip() > 0) {
            html.in("p", "None of the services that were looked at is like that.");
            return;
        }
        html.in("p", "There is no service yet that this key may read. This makes one:");
        html.in(
                "pre",
                ApiCall.of(Verb.POST, visit.organizationPath() + "/services", FIRST_SERVICE)
                        .curl(visit.api()));
    }

    private void row(Html html, Service service, Optional<Map<UUID, Double>> spent) {
        Scaling scaling = service.scalingNow();
        html.in(tag("tr", "id", "service-" + service.id()), () -> {
            html.in(
                    tag("th", "scope", "row"),
                    () -> html.in(tag("a", "href", "/services/" + service.id()), service.name()));
            html.in("td", () -> state(html, service));
            html.in("td", service.seen().dbVersion());
            html.in("td", memory(scaling));
            html.in("td", Integer.toString(scaling.numReplicas()));
            SPARKS.forEach(vital -> html.in("td", () -> plots.spark(html, service, vital)));
            spent.ifPresent(credits -> html.in("td", Costs.shown(credits.get(service.id()))));
            html.in("td", service.placement().region());
            html.in("td", () -> html.moment(service.createdAt()));
        });
    }

    /** The state as a word, never by its colour alone, and the reason where there is one. */
    static void state(Html html, Service service) {
        String word = service.state().word();
        html.in(tag("span", "class", "state " + word), word);
        String reason = service.seen().reason();
        if (reason != null) {
            html.in(tag("span", "class", "reason"), reason);
        } else if (service.state() == ServiceState.IDLE) {
            html.in(
                    tag("span", "class", "reason"),
                    () -> html.text("Asleep since ")
                            .moment(service.seen().since())
                            .text(", because nobody used it. Its next use wakes it"));
        } else if (service.state() == ServiceState.RUNNING) {
            html.in(
                    tag("span", "class", "reason"),
                    () -> html.text("Awake since ")
                            .moment(service.seen().since())
                            .text(sleeps(service.scalingNow())));
        }
    }

    private static String sleeps(Scaling scaling) {
        return scaling.idleScaling()
                ? ". Sleeps " + scaling.idleTimeoutMinutes() + " min after a use"
                : ". Never sleeps";
    }

    private static String memory(Scaling scaling) {
        int min = scaling.minReplicaMemoryGb();
        int max = scaling.maxReplicaMemoryGb();
        return min == max ? min + " GB" : min + "–" + max + " GB";
    }
}
