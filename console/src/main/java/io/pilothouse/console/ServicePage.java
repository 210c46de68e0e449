package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.BackupOperations;
import io.pilothouse.core.backup.BackupView;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
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
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One service: its state and history, how to reach it, and forms that change it. */
record ServicePage(
        Page page, ServiceOperations services, BackupOperations backups, ServiceHistory history, ConsoleApi api) {
    private static final int OK = 200;
    private static final int MAX_BACKUPS = 20;

    Answer show(Visit visit) {
        return show(visit, id(visit.last()), OK, List.of());
    }

    /** Does what a form asks for. A refusal shows the page again, with what is wrong. */
    Answer act(Visit visit) {
        Fields form = Fields.of(visit.exchange().body());
        Console.requireToken(visit, form);
        String[] parts = visit.exchange().path().split("/", -1);
        UUID id = id(parts[parts.length - 2]);
        ServiceAction action = ServiceAction.of(visit.last());
        Service service =
                services.get(visit.permitOn(id, Permission.SERVICE_READ), id).service();
        if (action == ServiceAction.DELETE
                && !form.text("name").equals(service.name().strip())) {
            return show(visit, id, 400, List.of("name: type the name of the service to delete it"));
        }
        ConsoleApi.Outcome outcome = api.send(visit, action.call(visit, service, form));
        if (outcome.refused()) {
            return show(visit, id, outcome.status(), outcome.sentences());
        }
        return switch (action) {
            case START, STOP, AWAKE, SCALE, BACKUP -> Console.seeOther("/services/" + id);
            case DELETE -> Console.seeOther("/");
            case RESTORE -> restored(visit, outcome.result());
        };
    }

    /** The only time that the password of the new service is shown. */
    private Answer restored(Visit visit, Tree.Members result) {
        Tree.Members made = result.members("service").orElse(Tree.Members.NONE);
        return page.of(OK, "Restored", visit, html -> {
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
            html.in(tag("pre", "id", "password"), result.text("password").orElse(""));
        });
    }

    private static UUID id(String text) {
        UUID id = Ids.parse(text);
        if (id == null) {
            throw Refused.notFound("Service");
        }
        return id;
    }

    private Answer show(Visit visit, UUID id, int status, List<String> troubles) {
        ServiceView view = services.get(visit.permitOn(id, Permission.SERVICE_READ), id);
        Service service = view.service();
        return page.of(status, service.name(), visit, html -> {
            html.in("h1", service.name());
            troubles.forEach(trouble -> Page.trouble(html, trouble));
            html.in(
                    tag(
                            "div",
                            "id",
                            "live",
                            "hx-get",
                            "/services/" + id,
                            "hx-trigger",
                            "every 3s",
                            "hx-select",
                            "#live",
                            "hx-swap",
                            "outerMorph"),
                    () -> live(html, visit, service));
            html.in("h2", "Actions");
            html.in(tag("div", "class", "actions"), () -> {
                button(html, visit, service, ServiceAction.START, "Start");
                button(html, visit, service, ServiceAction.STOP, "Stop");
                button(html, visit, service, ServiceAction.AWAKE, "Wake");
            });
            html.in("h2", "Connect");
            view.endpoints().forEach(endpoint -> endpoint(html, endpoint));
            scaling(html, visit, service);
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
        html.in("h2", "What happened");
        if (!visit.caller().may(Permission.ACTIVITY_READ)) {
            html.in("p", "This key may not read activities.");
            return;
        }
        List<Activity> lines = history.of(visit.permit(Permission.ACTIVITY_READ), service.id());
        if (lines.isEmpty()) {
            html.in(
                    "p",
                    "Nothing among the latest " + ServiceHistory.MAX_LOOKED_AT + " activities of the organization.");
            return;
        }
        html.in(tag("ol", "class", "wide"), () -> lines.forEach(line -> html.in("li", () -> line(html, line))));
    }

    private static void line(Html html, Activity line) {
        html.moment(line.createdAt()).text(" ").in("strong", line.type()).text(" by ");
        html.text(line.actorDetails() == null ? line.actorType() : line.actorDetails());
        if (line.changes() != null) {
            html.in(
                    tag("span", "class", "reason"),
                    line.changes().fields().stream().map(ServicePage::change).collect(Collectors.joining(", ")));
        }
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

    private static void endpoint(Html html, Endpoint endpoint) {
        Snippets.client(endpoint).ifPresent(line -> {
            html.in("h3", endpoint.protocol() + " · " + endpoint.host() + ":" + endpoint.port());
            copied(html, "client-" + endpoint.protocol(), line);
            if (endpoint.protocol().equals("https")) {
                copied(html, "client-python", Snippets.python(endpoint));
            }
        });
    }

    private static void copied(Html html, String id, String line) {
        html.in(tag("pre", "id", id), line);
        html.in(tag("button", "type", "button", "data-copy", id, "hidden", "hidden"), "Copy");
    }

    private void scaling(Html html, Visit visit, Service service) {
        Scaling scaling = service.scaling();
        html.in("h2", "Scaling");
        if (scaling.band() != null) {
            html.in("p", "This service scales by its number of replicas; the API changes between which it moves.");
            return;
        }
        form(html, visit, service, ServiceAction.SCALE, "Scale", () -> {
            number(html, "Memory of a replica from, GB", "minReplicaMemoryGb", scaling.minReplicaMemoryGb());
            number(html, "Memory of a replica up to, GB", "maxReplicaMemoryGb", scaling.maxReplicaMemoryGb());
            number(html, "Replicas", "numReplicas", scaling.numReplicas());
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
                        scaling.idleScaling() ? "checked" : null));
            });
            number(html, "Minutes until it sleeps", "idleTimeoutMinutes", scaling.idleTimeoutMinutes());
        });
    }

    private static void number(Html html, String label, String name, long value) {
        Page.field(html, label, name, Long.toString(value), "number");
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
                html.in("pre", action.call(visit, service, shown(service)).curl(visit.api()));
                html.in("pre", Snippets.terraform(action, service));
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
