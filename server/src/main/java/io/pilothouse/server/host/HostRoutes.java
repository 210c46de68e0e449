package io.pilothouse.server.host;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.host.Host;
import io.pilothouse.core.host.HostOperations;
import io.pilothouse.core.host.HostOperations.Counted;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Wake;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the admin address says of the hosts that share the store, and does to them; none where nobody shares it. */
public final class HostRoutes {
    static final String PATH = "/hosts";
    private static final Pattern QUERY = Pattern.compile("host=([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})");

    private final HostOperations hosts;

    private HostRoutes(HostOperations hosts) {
        this.hosts = hosts;
    }

    /** These routes and more. */
    public static List<PublicRoute> and(List<PublicRoute> more, Store store, Clock clock, Wake wake) {
        HostOperations hosts = new HostOperations(store, clock, wake);
        HostRoutes routes = new HostRoutes(hosts);
        List<PublicRoute> all = new ArrayList<>(more);
        all.add(new PublicRoute("hostsGet", Verb.GET, PATH, routes::show));
        all.add(new PublicRoute("hostStayingGet", Verb.GET, PATH + "/staying", routes::showStaying));
        all.add(change("hostDrain", "drain", id -> hosts.drain(id, true)));
        all.add(change("hostUndrain", "undrain", id -> hosts.drain(id, false)));
        all.add(change("hostRemove", "remove", id -> hosts.remove(id, false)));
        all.add(change("hostAbandon", "abandon", id -> hosts.remove(id, true)));
        return all;
    }

    private static PublicRoute change(String name, String word, Function<UUID, Counted> change) {
        return new PublicRoute(name, Verb.POST, PATH + "/" + word, exchange -> {
            Counted changed = change.apply(host(exchange));
            return Answer.json(JsonWriter.document(out -> write(out, changed)));
        });
    }

    private static UUID host(Exchange exchange) {
        Matcher matcher = QUERY.matcher(exchange.query());
        if (!matcher.matches()) {
            throw Refused.badRequest("host", "must be the id of a host");
        }
        return UUID.fromString(matcher.group(1));
    }

    private Answer show(Exchange exchange) {
        List<Counted> all = hosts.list();
        return Answer.json(JsonWriter.document(out -> {
            out.startObject();
            out.list("hosts", all, HostRoutes::write);
            out.endObject();
        }));
    }

    private Answer showStaying(Exchange exchange) {
        List<HostOperations.Staying> staying = hosts.staying(host(exchange));
        return Answer.json(JsonWriter.document(out -> {
            out.startObject();
            out.list("services", staying, HostRoutes::write);
            out.endObject();
        }));
    }

    private static void write(JsonWriter out, HostOperations.Staying staying) {
        out.startObject();
        out.id("id", staying.id());
        out.text("name", staying.name());
        out.text("why", staying.why());
        out.endObject();
    }

    private static void write(JsonWriter out, Counted counted) {
        Host host = counted.host();
        out.startObject();
        out.id("id", host.id());
        out.text("name", host.name());
        out.text("address", host.address());
        out.text("state", state(counted));
        out.whole("services", counted.services());
        out.whole("databases", host.room().databases());
        out.text("ports", host.room().firstPort() + "-" + host.room().lastPort());
        out.time("since", host.since());
        out.time("seenAt", host.seenAt());
        out.endObject();
    }

    private static String state(Counted counted) {
        if (counted.isGone()) {
            return "gone";
        }
        return counted.host().draining() ? "drained" : "there";
    }
}
