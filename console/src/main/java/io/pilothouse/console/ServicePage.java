package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.BackupOperations;
import io.pilothouse.core.backup.BackupView;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.figure.PulseHistory;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.service.Endpoint;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceOperations;
import io.pilothouse.core.service.ServiceView;
import io.pilothouse.http.json.Ids;
import io.pilothouse.http.wire.Answer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One service: its state and history, how to reach it, and forms that change it. */
record ServicePage(
        Page page,
        ServiceOperations services,
        BackupOperations backups,
        TimelinePart timeline,
        ServicePlots plots,
        Costs costs,
        ShownOnce shownOnce,
        ConsoleApi api) {
    private static final int OK = 200;
    private static final Fields NOTHING = new Fields(Map.of());
    private static final int MAX_BACKUPS = 20;

    /** What else a service has, by the end of the address. */
    private static final Map<String, String> PAGES = new TreeMap<>(Map.of(
            "pipes", "Pipes",
            "backups", "Backups",
            "schedules", "Schedules",
            "settings", "Settings and access",
            "timeline", "Timeline"));

    Answer show(Visit visit) {
        return show(visit, id(visit.last()), OK, List.of(), NOTHING);
    }

    /** Does what a form asks for. A refusal shows the page again, with what is wrong. */
    Answer act(Visit visit) {
        Fields form = Fields.of(visit.exchange().body());
        Console.requireToken(visit, form);
        String[] parts = visit.exchange().path().split("/", -1);
        UUID id = id(parts[parts.length - 2]);
        ServiceAction action = ServiceAction.of(visit.last());
        if (!form.text(Typed.BACK).isEmpty()) {
            return show(visit, id, OK, List.of(), action == ServiceAction.SCALE ? form : NOTHING);
        }
        Service service =
                services.get(visit.permitOn(id, Permission.SERVICE_READ), id).service();
        if (action == ServiceAction.DELETE
                && !form.text("name").equals(service.name().strip())) {
            return show(visit, id, 400, List.of("name: type the name of the service to delete it"), NOTHING);
        }
        ConsoleApi.Outcome outcome = api.send(visit, action.call(visit, service, form), form.text(Page.ONCE));
        if (outcome.refused()) {
            Fields typed = action == ServiceAction.SCALE ? form : NOTHING;
            return show(visit, id, outcome.status(), outcome.sentences(), typed);
        }
        return switch (action) {
            case START, STOP, AWAKE, SCALE, BACKUP -> Console.seeOther("/services/" + id);
            case DELETE -> Console.seeOther("/");
            case RESTORE -> restored(visit, outcome.object());
        };
    }

    /** The only time that the password of the new service is shown. */
    private Answer restored(Visit visit, Tree.Members result) {
        Tree.Members made = result.members("service").orElse(Tree.Members.NONE);
        return shownOnce.lead(visit, "Restored", html -> {
            html.in("h1", "The backup is being restored");
            html.in(
                    "p",
                    () -> html.text("Into a new service, ")
                            .in(
                                    tag(
                                            "a",
                                            "href",
                                            "/services/" + made.text("id").orElse("")),
                                    made.text("name").orElse("without a name"))
                            .text(". Its password is shown this once:"));
            Page.copied(html, "password", result.text("password").orElse(""));
        });
    }

    static UUID id(String text) {
        UUID id = Ids.parse(text);
        if (id == null) {
            throw Refused.notFound("Service");
        }
        return id;
    }

    /** {@code typed} is what a form for its scaling held that was refused, so that nobody types it again. */
    private Answer show(Visit visit, UUID id, int status, List<String> troubles, Fields typed) {
        ServiceView view = services.get(visit.permitOn(id, Permission.SERVICE_READ), id);
        Service service = view.service();
        if (Page.asksForPart(visit)) {
            return Page.part(html -> Page.livePart(html, "live", "/services/" + id, () -> live(html, visit, service)));
        }
        return page.of(status, service.name(), visit, html -> {
            html.in("h1", service.name());
            troubles.forEach(trouble -> Page.trouble(html, trouble));
            html.in(
                    tag("nav", "aria-label", "Of this service", "class", "pages"),
                    () -> PAGES.forEach(
                            (path, label) -> html.in(tag("a", "href", "/services/" + id + "/" + path), label)));
            Page.livePart(html, "live", "/services/" + id, () -> live(html, visit, service));
            costs.sentence(visit, id).ifPresent(sentence -> html.in("p", sentence));
            html.in("p", () -> html.in(tag("a", "href", "/query/" + id), "Query it with SQL"));
            html.in("h2", "Plots");
            plots.live(html, service, PulseHistory.Span.HOUR);
            html.in("h2", "Actions");
            html.in(tag("div", "class", "actions"), () -> {
                button(html, visit, service, ServiceAction.START, "Start");
                button(html, visit, service, ServiceAction.STOP, "Stop");
                button(html, visit, service, ServiceAction.AWAKE, "Wake");
            });
            html.in("h2", "Connect");
            connect(html, view);
            scaling(html, visit, service, typed);
            backups(html, visit, service);
            html.in("h2", "Delete");
            form(
                    html,
                    visit,
                    service,
                    ServiceAction.DELETE,
                    "Delete this service",
                    () -> Page.field(html, "Its name, typed", "name", null, "text"));
        });
    }

    private void live(Html html, Visit visit, Service service) {
        html.in("p", () -> FleetPage.state(html, service));
        html.in(
                "p",
                () -> html.text("ClickHouse "
                                + (service.seen().dbVersion() == null
                                        ? "not seen yet"
                                        : service.seen().dbVersion())
                                + " · " + service.placement().provider() + " "
                                + service.placement().region() + " · ")
                        .in("code", service.id().toString()));
        timeline.write(html, visit, service.id());
    }

    static void line(Html html, Activity line) {
        html.moment(line.createdAt()).text(" ");
        deed(html, line);
    }

    /** What was done and by whom, without the moment. */
    static void deed(Html html, Activity line) {
        html.in("strong", line.type()).text(" by ").text(actor(line));
        if (line.changes() != null) {
            html.in(tag("span", "class", "reason"), changes(line));
        }
    }

    static String actor(Activity line) {
        return line.actorDetails() == null ? line.actorType() : line.actorDetails();
    }

    /** What was before and is after, for those who may read it. */
    static String changes(Activity line) {
        return line.changes() == null
                ? ""
                : line.changes().fields().stream().map(ServicePage::change).collect(Collectors.joining(", "));
    }

    private static String change(FieldChange change) {
        return change.path() + ": " + value(change.before()) + " → " + value(change.after());
    }

    private static String value(@Nullable Tree value) {
        return switch (value) {
            case null -> "nothing";
            case Tree.Text text -> text.value();
            case Tree.Figure figure -> Double.toString(figure.value()).replaceFirst("\\.0$", "");
            case Tree.Flag flag -> Boolean.toString(flag.value());
            case Tree.Nothing _ -> "null";
            case Tree.Items items -> items.values().size() + " items";
            case Tree.Members _ -> "…";
        };
    }

    private static void connect(Html html, ServiceView view) {
        html.in(
                tag("p", "class", "quiet"),
                "Where its certificate is of this program's own authority, a client needs the file of that authority "
                        + "(ca_file of the welcome): --cacert FILE of curl, ca_cert=\"FILE\" in Python, "
                        + "&sslrootcert=FILE at the end of the address of JDBC.");
        UUID id = view.service().id();
        view.endpoints().forEach(endpoint -> endpoint(html, endpoint, id));
    }

    private static void endpoint(Html html, Endpoint endpoint, UUID service) {
        Snippets.client(endpoint).ifPresent(line -> {
            html.in("h3", endpoint.protocol() + " · " + endpoint.host() + ":" + endpoint.port());
            Page.copied(html, "client-" + endpoint.protocol(), line);
            if (endpoint.protocol().equals("https")) {
                Page.copied(html, "client-python", Snippets.python(endpoint));
                Page.copied(html, "client-jdbc", Snippets.jdbc(endpoint));
                Page.copied(html, "client-terraform", Snippets.terraform(service));
            }
        });
    }

    private void scaling(Html html, Visit visit, Service service, Fields typed) {
        Scaling scaling = service.scaling();
        html.in("h2", "Scaling");
        if (scaling.band() != null) {
            html.in("p", "This service scales by its number of replicas; the API changes between which it moves.");
            return;
        }
        Fields values = typed.values().isEmpty() ? shown(service) : typed;
        form(html, visit, service, ServiceAction.SCALE, "Scale", () -> {
            number(html, "Memory of a replica from, GB", "minReplicaMemoryGb", values);
            number(html, "Memory of a replica up to, GB", "maxReplicaMemoryGb", values);
            number(html, "Replicas", "numReplicas", values);
            html.in("label", () -> {
                html.in("span", "Sleeps when unused");
                html.one(tag(
                        "input",
                        "type",
                        "checkbox",
                        "name",
                        "idleScaling",
                        "value",
                        "true",
                        "checked",
                        values.text("idleScaling").isEmpty() ? null : "checked"));
            });
            number(html, "Minutes until it sleeps", "idleTimeoutMinutes", values);
        });
    }

    private static void number(Html html, String label, String name, Fields values) {
        Page.field(html, label, name, values.text(name), "number");
    }

    private void backups(Html html, Visit visit, Service service) {
        if (!service.warehouse().primary() || !visit.caller().may(Permission.BACKUP_READ, service.id())) {
            return;
        }
        html.in("h2", "Backups");
        button(html, visit, service, ServiceAction.BACKUP, "Back up now");
        List<BackupView> kept = backups.page(
                        visit.permitOn(service.id(), Permission.BACKUP_READ), service.id(), null, MAX_BACKUPS)
                .items();
        if (kept.isEmpty()) {
            html.in("p", "There is no backup yet.");
        }
        kept.forEach(view -> backup(html, visit, service, view.backup()));
    }

    private void backup(Html html, Visit visit, Service service, Backup backup) {
        html.in(
                "p",
                () -> html.moment(backup.createdAt())
                        .text(" " + backup.state().word().orElse("") + " " + backup.sizeInBytes() + " bytes"));
        if (backup.state() == Backup.State.DONE) {
            form(html, visit, service, ServiceAction.RESTORE, "Restore into a new service", () -> {
                html.one(tag(
                        "input",
                        "type",
                        "hidden",
                        "name",
                        "backupId",
                        "value",
                        backup.id().toString()));
                Page.field(html, "Name of the new service", "name", service.name() + " restored", "text");
            });
        }
    }

    private void button(Html html, Visit visit, Service service, ServiceAction action, String label) {
        form(html, visit, service, action, label, () -> {});
    }

    /** A form with the request of the API that it sends, and what Terraform says for it. */
    private void form(Html html, Visit visit, Service service, ServiceAction action, String label, Runnable fields) {
        html.in(tag("div", "class", "card"), () -> {
            Page.form(html, visit, "/services/" + service.id() + "/" + action.word(), () -> {
                fields.run();
                html.in(tag("button", "type", "submit"), label);
            });
            html.in("details", () -> {
                html.in("summary", label + " with the API and with Terraform");
                Page.same(html, visit, action.call(visit, service, shown(service)));
            });
        });
    }

    /** What the forms of this page hold before anybody types, for the request that is shown beside each. */
    private static Fields shown(Service service) {
        Scaling scaling = service.scaling();
        return new Fields(Map.of(
                "minReplicaMemoryGb", Integer.toString(scaling.minReplicaMemoryGb()),
                "maxReplicaMemoryGb", Integer.toString(scaling.maxReplicaMemoryGb()),
                "numReplicas", Integer.toString(scaling.numReplicas()),
                "idleScaling", scaling.idleScaling() ? "true" : "",
                "idleTimeoutMinutes", Long.toString(scaling.idleTimeoutMinutes()),
                "name", service.name() + " restored",
                "backupId", "ID-OF-THE-BACKUP"));
    }
}
