package io.pilothouse.server.host;

import io.pilothouse.core.host.Host;
import io.pilothouse.core.host.HostPlaces;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Verb;
import java.util.ArrayList;
import java.util.List;

/** What the admin address says of the hosts that share the store; none where nobody shares it. */
public final class HostRoutes {
    static final String PATH = "/hosts";

    private final Store store;
    private final Clock clock;

    private HostRoutes(Store store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** These routes and more. */
    public static List<PublicRoute> and(List<PublicRoute> more, Store store, Clock clock) {
        List<PublicRoute> all = new ArrayList<>(more);
        all.add(new PublicRoute("hostsGet", Verb.GET, PATH, new HostRoutes(store, clock)::show));
        return all;
    }

    private record Shown(Host host, long services) {}

    private Answer show(Exchange exchange) {
        List<Shown> hosts = store.read(tables -> HostPlaces.all(tables).stream()
                .map(host -> new Shown(host, HostPlaces.services(tables, host.id())))
                .toList());
        return Answer.json(JsonWriter.document(out -> {
            out.startObject();
            out.list("hosts", hosts, this::write);
            out.endObject();
        }));
    }

    private void write(JsonWriter out, Shown shown) {
        Host host = shown.host();
        out.startObject();
        out.id("id", host.id());
        out.text("name", host.name());
        out.text("address", host.address());
        out.text("state", host.isGone(clock.now()) ? "gone" : "there");
        out.whole("services", shown.services());
        out.whole("databases", host.room().databases());
        out.text("ports", host.room().firstPort() + "-" + host.room().lastPort());
        out.time("since", host.since());
        out.time("seenAt", host.seenAt());
        out.endObject();
    }
}
