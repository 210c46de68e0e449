package io.pilothouse.console.screen;

import io.pilothouse.console.screen.Input.Choices;
import io.pilothouse.console.screen.Screen.Asked;
import io.pilothouse.console.screen.Screen.Column;
import io.pilothouse.console.screen.Screen.Facts;
import io.pilothouse.console.screen.Screen.Lines;
import io.pilothouse.console.screen.Screen.Way;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.http.wire.Verb;
import java.util.List;
import java.util.stream.Stream;

/** Making a service, its backups, and what it has beside its scaling. */
final class ServiceScreens {
    private static final String SERVICES = "{organization}/services";
    private static final String PAGE = "/services/{serviceId}";
    private static final String SERVICE = "{organization}" + PAGE;
    private static final String BACKUPS = SERVICE + "/backups";
    private static final String CONFIGURATION = SERVICE + "/backupConfiguration";
    private static final String BUCKET = SERVICE + "/backupBucket";
    private static final String SCHEDULE = SERVICE + "/scalingSchedule";
    private static final String WINDOW = SERVICE + "/upgradeWindow";
    private static final String QUERIES = SERVICE + "/serviceQueryEndpoint";
    private static final String SETTINGS = SERVICE + "/clickhouseSettings";
    private static final Way UP = new Way(PAGE, "The service");
    private static final String HOURS = """
            [{"name": "Business hours", "weekdays": [1, 2, 3, 4, 5], "startHourUtc": 8, "endHourUtc": 18,
              "minReplicaMemoryGb": 16, "maxReplicaMemoryGb": 64}]""";

    private ServiceScreens() {}

    static List<Screen> all(RuleBook rules) {
        return List.of(made(rules), backups(), settings(), schedules());
    }

    private static Screen made(RuleBook rules) {
        String[] regions =
                Stream.concat(Stream.of(""), rules.regions().words().stream()).toArray(String[]::new);
        return Screen.of(
                "consoleNewService",
                "/new-service",
                "Create a service",
                new Asked(Form.of(
                                "create",
                                "Create the service",
                                Verb.POST,
                                SERVICES,
                                Input.text("Name", "name", "Events"),
                                Input.choice("Provider", "provider", "", "aws", "azure", "gcp"),
                                Input.choice("Region", "region", regions),
                                Input.number("Memory of a replica from, GB", "minReplicaMemoryGb", "8"),
                                Input.number("Memory of a replica up to, GB", "maxReplicaMemoryGb", "16"),
                                Input.number("Replicas; empty for as many as its tier has", "numReplicas", ""),
                                Input.flag("Sleeps when unused", "idleScaling", true),
                                Input.number("Minutes until it sleeps", "idleTimeoutMinutes", "15"),
                                Input.addresses(
                                        "Who may connect: an address in each line, and behind a blank what it is",
                                        "ipAccessList",
                                        "127.0.0.1 This machine"))
                        .showing("password")
                        .leadingTo("/services/{service.id}")));
    }

    private static Screen backups() {
        return Screen.of(
                        "consoleBackups",
                        PAGE + "/backups",
                        "Backups of {name}",
                        new Asked(Form.of("backup", "Back up now", Verb.POST, BACKUPS)),
                        new Lines(
                                "Backups",
                                BACKUPS,
                                "",
                                List.of(
                                        Column.moment("Started", "startedAt"),
                                        Column.state("State", "status"),
                                        Column.end("Finished", "finishedAt"),
                                        Column.text("Bytes", "sizeInBytes"),
                                        Column.text("Type", "type")),
                                "",
                                "There is no backup yet: make one above, or wait for the next by schedule.",
                                List.of(Form.of(
                                                "restore",
                                                "Restore into a new service",
                                                Verb.POST,
                                                SERVICES,
                                                Input.text("Name of the new service", "name", "Restored"),
                                                Input.fixed("backupId", "{row}"))
                                        .showing("password")
                                        .leadingTo("/services/{service.id}"))),
                        new Asked(Form.of(
                                        "configuration",
                                        "Change how it is backed up",
                                        Verb.PATCH,
                                        CONFIGURATION,
                                        Input.number("Hours from one to the next", "backupPeriodInHours", "")
                                                .filledBy("backupPeriodInHours"),
                                        Input.number("Hours that it is kept", "backupRetentionPeriodInHours", "")
                                                .filledBy("backupRetentionPeriodInHours"),
                                        Input.removable(
                                                        "At this time of day (UTC), as 02:00; then once a day. "
                                                                + "Empty for no time of its own",
                                                        "backupStartTime")
                                                .filledBy("backupStartTime"))
                                .filledFrom(CONFIGURATION)),
                        new Facts(
                                "Bucket of your own",
                                BUCKET,
                                List.of(
                                        Column.text("Provider", "bucketProvider"),
                                        Column.text("Path", "bucketPath"),
                                        Column.text("Opened by", "accessKeyId")),
                                "Backups stay with the program. Set a bucket below to keep them elsewhere."),
                        new Asked(Form.of(
                                "bucket",
                                "Set the bucket",
                                Verb.POST,
                                BUCKET,
                                Input.choice("Provider", "bucketProvider", "AWS", "GCP"),
                                Input.text("Path, as s3://name/path", "bucketPath", ""),
                                Input.text("Access key", "accessKeyId", ""),
                                Input.secret("Secret of the access key", "secretAccessKey"))),
                        new Asked(Form.of("nobucket", "Use no bucket any more", Verb.DELETE, BUCKET)))
                .about(SERVICE)
                .leadingTo(UP);
    }

    private static Screen settings() {
        return Screen.of(
                        "consoleSettings",
                        PAGE + "/settings",
                        "Settings of {name}",
                        new Lines(
                                "Who may connect",
                                SERVICE,
                                "ipAccessList",
                                List.of(Column.text("Address", "source"), Column.text("What it is", "description")),
                                "",
                                "Nobody may connect yet: let an address in below.",
                                List.of()),
                        new Asked(Form.of(
                                "access",
                                "Change who may connect",
                                Verb.PATCH,
                                SERVICE,
                                Input.addresses("Let these in", "ipAccessList.add", ""),
                                Input.addresses("Take these out", "ipAccessList.remove", ""))),
                        new Asked(Form.of(
                                        "rename",
                                        "Rename",
                                        Verb.PATCH,
                                        SERVICE,
                                        Input.text("Name", "name", "").filledBy("name"))
                                .filledFrom(SERVICE)),
                        new Asked(Form.of(
                                        "password",
                                        "Make another password",
                                        Verb.PATCH,
                                        SERVICE + "/password",
                                        Input.body("Nothing to choose", "{}"))
                                .showing("password")),
                        new Facts(
                                "Queries over HTTP",
                                QUERIES,
                                List.of(
                                        Column.text("Roles", "roles"),
                                        Column.text("Keys", "openApiKeys"),
                                        Column.text("Origins of browsers", "allowedOrigins")),
                                "No key may run SQL here over HTTP. Name some below."),
                        new Asked(Form.of(
                                        "queries",
                                        "Set which keys may run SQL",
                                        Verb.POST,
                                        QUERIES,
                                        Input.lines("Roles, one in each line", "roles", "sql_console_read_only")
                                                .filledBy("roles"),
                                        Input.many(
                                                        "Keys",
                                                        "openApiKeys",
                                                        new Choices("{organization}/keys", "id", "name"))
                                                .filledBy("openApiKeys"),
                                        Input.text("Origins of browsers", "allowedOrigins", "")
                                                .filledBy("allowedOrigins"))
                                .filledFrom(QUERIES)),
                        new Asked(Form.of("noqueries", "Let no key run SQL", Verb.DELETE, QUERIES)),
                        new Lines(
                                "ClickHouse's settings",
                                SETTINGS,
                                "settings",
                                List.of(Column.text("Name", "name"), Column.text("Value", "value")),
                                "",
                                "None is set: all have ClickHouse's defaults.",
                                List.of(Form.of("unset", "To its default", Verb.DELETE, SETTINGS + "/{row}"))),
                        new Asked(Form.of(
                                "set",
                                "Set some of ClickHouse's settings",
                                Verb.PATCH,
                                SETTINGS,
                                Input.text("As JSON in one line", "settings", "{\"max_threads\": 4}"))),
                        new Facts(
                                "Private endpoints",
                                SERVICE,
                                List.of(
                                        Column.text("Of this service", "privateEndpointIds"),
                                        Column.text("Of the organization", "availablePrivateEndpointIds")),
                                ""),
                        new Asked(Form.of(
                                "endpoint",
                                "Register a private endpoint",
                                Verb.POST,
                                SERVICE + "/privateEndpoint",
                                Input.text("Id", "id", ""),
                                Input.text("Description", "description", ""))))
                .about(SERVICE)
                .leadingTo(UP);
    }

    private static Screen schedules() {
        return Screen.of(
                        "consoleSchedules",
                        PAGE + "/schedules",
                        "Schedules of {name}",
                        new Lines(
                                "Scaled in another way at",
                                SCHEDULE,
                                "entries",
                                List.of(
                                        Column.text("Name", "name"),
                                        Column.text("Days, from Sunday as 0", "weekdays"),
                                        Column.text("From hour, UTC", "startHourUtc"),
                                        Column.text("To hour, UTC", "endHourUtc"),
                                        Column.text("From GB", "minReplicaMemoryGb"),
                                        Column.text("To GB", "maxReplicaMemoryGb"),
                                        Column.state("Now", "isActiveNow")),
                                "",
                                "There is no schedule: the scaling of the service holds at all hours.",
                                List.of()),
                        new Asked(Form.of(
                                        "schedule",
                                        "Set the hours",
                                        Verb.POST,
                                        SCHEDULE,
                                        Input.json("All entries, as JSON", "entries", HOURS)
                                                .filledBy("entries"))
                                .filledFrom(SCHEDULE)),
                        new Asked(Form.of("noschedule", "Delete the schedule", Verb.DELETE, SCHEDULE)),
                        new Facts(
                                "Upgraded at",
                                WINDOW,
                                List.of(
                                        Column.text("Day", "weekday"),
                                        Column.text("From hour, UTC", "startHourUtc"),
                                        Column.text("Hours", "duration")),
                                "No window is set: it may be upgraded at any time."),
                        new Asked(Form.of(
                                        "window",
                                        "Set when it may be upgraded",
                                        Verb.PUT,
                                        WINDOW,
                                        Input.number("Day of the week, from Sunday as 0", "weekday", "3")
                                                .filledBy("weekday"),
                                        Input.number("From hour, UTC", "startHourUtc", "12")
                                                .filledBy("startHourUtc"))
                                .filledFrom(WINDOW)),
                        new Asked(Form.of("nowindow", "Delete the window", Verb.DELETE, WINDOW)))
                .about(SERVICE)
                .leadingTo(UP);
    }
}
