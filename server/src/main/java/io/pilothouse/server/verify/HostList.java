package io.pilothouse.server.verify;

import io.pilothouse.core.base.Tree;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.log.Escaped;
import java.io.PrintStream;
import java.util.List;

/** Shows the hosts that share a store, as a running program knows them. */
public final class HostList {
    private static final List<String> COLUMNS =
            List.of("name", "state", "services", "databases", "address", "ports", "seenAt", "since", "id");

    private HostList() {}

    /** Prints a line for each, under a line that names the columns. */
    public static void ask(AdminClient admin, PrintStream out) throws CommandRefused {
        AdminClient.Said said = admin.ask("GET", "/hosts");
        if (!said.isFine()) {
            throw new CommandRefused(said.message() + ".");
        }
        out.println(String.join("\t", COLUMNS));
        for (Tree.Members host : said.document().objects("hosts")) {
            out.println(String.join(
                    "\t", COLUMNS.stream().map(name -> shown(host, name)).toList()));
        }
    }

    private static String shown(Tree.Members host, String name) {
        return host.values().get(name) instanceof Tree.Figure number
                ? Long.toString((long) number.value())
                : Escaped.text(host.text(name).orElse(""));
    }
}
