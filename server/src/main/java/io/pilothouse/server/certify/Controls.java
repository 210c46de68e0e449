package io.pilothouse.server.certify;

import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.TreeJson;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.client.JsonClient;
import java.util.Optional;

/** The controls of an emulator that make faults. */
final class Controls {
    private static final String PATH = "/_pilothouse/faults";

    private final Place place;
    private final Client client;

    Controls(Place place, Client client) {
        this.place = place;
        this.client = client;
    }

    /** Whether there are any, and this key may use them. */
    boolean areThere() throws CommandRefused {
        int status = client.ask("GET", url(""), client.asKey(), new byte[0]).status();
        return status == Client.FINE;
    }

    /** Sets a fault for this organization alone. */
    void set(Tree.Members fault) throws CommandRefused {
        Tree.Members whole = fault.with("organizationId", new Tree.Text(place.organizationId()));
        byte[] body = JsonWriter.document(out -> TreeJson.write(out, whole));
        JsonClient.Said said = client.ask("POST", url(""), client.asKey(), body);
        if (said.status() / 100 != 2) {
            throw new CommandRefused("The fault is refused with " + said.status() + ": "
                    + said.document().text("error").orElse("no reason"));
        }
    }

    /** Takes a fault back, and says how often it struck. */
    int take(String name) throws CommandRefused {
        Tree.Members all = client.ask("GET", url(""), client.asKey(), new byte[0])
                .document()
                .members("result")
                .orElse(Tree.Members.NONE);
        double struck = all.objects("faults").stream()
                .filter(fault -> fault.text("name").equals(Optional.of(name)))
                .findFirst()
                .flatMap(fault -> fault.number("struck"))
                .orElse(0.0);
        client.ask("DELETE", url("/" + name), client.asKey(), new byte[0]);
        return (int) struck;
    }

    private String url(String more) {
        return place.base() + PATH + more;
    }
}
