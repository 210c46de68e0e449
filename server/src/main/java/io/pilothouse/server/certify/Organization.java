package io.pilothouse.server.certify;

import io.pilothouse.core.base.Tree;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.client.JsonClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What is in an organization, as its API lists it. */
final class Organization {
    private static final List<String> LISTS = List.of("keys", "roles", "members", "invitations", "alertsTokens");
    private static final List<String> OF_SERVICES = List.of("clickpipes", "clickpipesReversePrivateEndpoints");
    private static final List<String> OF_ALERTS = List.of("webhooks", "alerts", "dashboards");

    private final Place place;
    private final Client client;

    Organization(Place place, Client client) {
        this.place = place;
        this.client = client;
    }

    /** Everything in it, each thing as {@code KIND ID "NAME"}. */
    Set<String> things() throws CommandRefused {
        Set<String> things = new TreeSet<>();
        String root = place.api() + "/organizations/" + place.organizationId() + "/";
        for (String kind : LISTS) {
            list(root + kind, client.asKey(), false).forEach(each -> things.add(named(kind, each)));
        }
        for (Tree.Members service : list(root + "services", client.asKey(), false)) {
            things.add(named("services", service));
            for (String kind : OF_SERVICES) {
                String of = root + "services/" + service.text("id").orElse("") + "/" + kind;
                // A service that went meanwhile has no list.
                list(of, client.asKey(), true).forEach(each -> things.add(named(kind, each)));
            }
        }
        if (place.alerts().isPresent()) {
            Place.Alerts alerts = place.alerts().get();
            for (String kind : OF_ALERTS) {
                list(alerts.url() + "/api/v2/" + kind, "Bearer " + alerts.token(), false)
                        .forEach(each -> things.add(named(kind, each)));
            }
        }
        return things;
    }

    private static String named(String kind, Tree.Members thing) {
        List<String> words = new ArrayList<>(List.of(kind));
        thing.text("id").or(() -> thing.text("userId")).ifPresent(words::add);
        thing.text("name")
                .or(() -> thing.text("email"))
                .or(() -> thing.text("description"))
                .ifPresent(name -> words.add('"' + name + '"'));
        return String.join(" ", words);
    }

    private List<Tree.Members> list(String url, String authorization, boolean mayBeMissing) throws CommandRefused {
        JsonClient.Said said = client.ask("GET", url, authorization, new byte[0]);
        if (mayBeMissing && said.status() == Client.NOT_FOUND) {
            return List.of();
        }
        if (said.status() != Client.FINE) {
            throw new CommandRefused(url + " answers " + said.status() + ": "
                    + said.document().text("error").orElse("no reason") + ".");
        }
        return said.document().objects(said.document().has("result") ? "result" : "data");
    }
}
