package io.pilothouse.server.verify;

import io.pilothouse.core.base.Tree;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.log.Escaped;
import java.io.PrintStream;
import java.util.List;

/** Shows and changes the hosts that share a store, as a running program knows them. */
public final class HostCommands {
    private static final List<String> COLUMNS =
            List.of("name", "state", "services", "databases", "address", "ports", "seenAt", "since", "id");

    private final AdminClient admin;
    private final PrintStream out;

    public HostCommands(AdminClient admin, PrintStream out) {
        this.admin = admin;
        this.out = out;
    }

    /** Prints a line for each, under a line that names the columns. */
    public void list() throws CommandRefused {
        out.println(String.join("\t", COLUMNS));
        for (Tree.Members host : all()) {
            out.println(String.join(
                    "\t", COLUMNS.stream().map(name -> shown(host, name)).toList()));
        }
    }

    public void drain(String host) throws CommandRefused {
        String id = id(host);
        Tree.Members drained = asked("POST", "/hosts/drain?host=" + id);
        out.println(shown(drained, "name") + " gets no new services, and moves its own to other hosts, one after"
                + " another. Still there: " + shown(drained, "services") + ".");
        for (Tree.Members service : asked("GET", "/hosts/staying?host=" + id).objects("services")) {
            out.println(shown(service, "name") + " (" + shown(service, "id") + "): " + shown(service, "why") + ".");
        }
    }

    public void undrain(String host) throws CommandRefused {
        out.println(shown(change("undrain", host), "name") + " gets new services again.");
    }

    public void remove(String host) throws CommandRefused {
        out.println(shown(change("remove", host), "name") + " is no longer among the hosts.");
    }

    public void abandon(String host) throws CommandRefused {
        Tree.Members abandoned = change("abandon", host);
        out.println(shown(abandoned, "name") + " is no longer among the hosts. Services without their data: "
                + shown(abandoned, "services") + ". They can be deleted, and backups of them that are in a bucket"
                + " restored.");
    }

    private Tree.Members change(String verb, String host) throws CommandRefused {
        return asked("POST", "/hosts/" + verb + "?host=" + id(host));
    }

    private List<Tree.Members> all() throws CommandRefused {
        return asked("GET", "/hosts").objects("hosts");
    }

    private Tree.Members asked(String method, String target) throws CommandRefused {
        AdminClient.Said said = admin.ask(method, target);
        if (!said.isFine()) {
            throw new CommandRefused(said.message() + ".");
        }
        return said.document();
    }

    /** By name or id; two hosts may have one name. */
    private String id(String host) throws CommandRefused {
        List<Tree.Members> named = all().stream()
                .filter(one -> one.text("name").orElse("").equals(host)
                        || one.text("id").orElse("").equals(host))
                .toList();
        if (named.size() != 1) {
            throw new CommandRefused(
                    named.isEmpty()
                            ? "No host is called " + Escaped.text(host) + ": ./pilothouse hosts list shows them."
                            : named.size() + " hosts are called " + Escaped.text(host) + ": give the id of one.");
        }
        return named.getFirst().text("id").orElseThrow();
    }

    private static String shown(Tree.Members host, String name) {
        return host.values().get(name) instanceof Tree.Figure number
                ? Long.toString((long) number.value())
                : Escaped.text(host.text(name).orElse(""));
    }
}
