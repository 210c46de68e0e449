package io.pilothouse.console.screen;

import io.pilothouse.console.screen.Screen.Asked;
import io.pilothouse.console.screen.Screen.Column;
import io.pilothouse.console.screen.Screen.Facts;
import io.pilothouse.console.screen.Screen.Lines;
import io.pilothouse.console.screen.Screen.Way;
import io.pilothouse.http.wire.Verb;
import java.util.List;

/** The pipes of a service. */
final class PipeScreens {
    private static final String SERVICE = "/services/{serviceId}";
    private static final String PIPES = "{organization}" + SERVICE + "/clickpipes";
    private static final String PAGES = SERVICE + "/pipes";
    private static final String FILES = """
            {"name": "Files",
             "source": {"objectStorage": {"type": "s3", "format": "JSONEachRow", "isContinuous": true,
               "url": "https://bucket.s3.eu-west-1.amazonaws.com/in/*.json",
               "authentication": "IAM_USER", "accessKey": {"accessKeyId": "…", "secretKey": "…"}}},
            """;
    private static final String KAFKA = """
            {"name": "Orders",
             "source": {"kafka": {"format": "JSONEachRow", "brokers": "broker.example.org:9092", "topics": "orders",
               "authentication": "PLAIN", "credentials": {"username": "reader", "password": "…"}}},
            """;
    private static final String KINESIS = """
            {"name": "Stream",
             "source": {"kinesis": {"format": "JSONEachRow", "streamName": "orders", "region": "eu-west-1",
               "iteratorType": "TRIM_HORIZON", "authentication": "IAM_USER",
               "accessKey": {"accessKeyId": "…", "secretKey": "…"}}},
            """;
    private static final String TO_TABLE = """
             "destination": {"database": "default", "table": "orders", "managedTable": true,
               "tableDefinition": {"engine": {"type": "MergeTree"}, "sortingKey": ["id"]},
               "columns": [{"name": "id", "type": "Int64"}]},
             "fieldMappings": [{"sourceField": "id", "destinationField": "id"}]}""";
    private static final String POSTGRES = """
            {"name": "Shop",
             "source": {"postgres": {"host": "db.example.org", "port": 5432, "database": "shop",
               "credentials": {"username": "reader", "password": "…"},
               "settings": {"replicationMode": "cdc"},
               "tableMappings": [{"sourceSchemaName": "public", "sourceTable": "orders", "targetTable": "orders"}]}},
             "destination": {"database": "default"}}""";

    private PipeScreens() {}

    static List<Screen> all() {
        return List.of(list(), made(), pipe());
    }

    private static Screen list() {
        return Screen.of("consolePipes", PAGES, "Pipes")
                .watching(new Lines(
                        "Pipes of this service",
                        PIPES,
                        "",
                        List.of(
                                Column.text("Name", "name"),
                                Column.state("State", "state"),
                                Column.text("Reason", "stateReason"),
                                Column.text("Replicas", "scaling.replicas"),
                                Column.figure("Lag, records", "LAG_RECORDS"),
                                Column.figure("Lag, seconds", "LAG_SECONDS"),
                                Column.rate("Records sent", "SENT_EVENTS"),
                                Column.figure("Sent since its start", "SENT_EVENTS"),
                                Column.figure("Not ingested", "ERRORS")),
                        PAGES + "/{id}",
                        "There is no pipe yet. Create one: it brings data into this service from elsewhere.",
                        List.of()))
                .leadingTo(new Way(SERVICE, "The service"), new Way(SERVICE + "/new-pipe", "Create a pipe"));
    }

    private static Screen made() {
        return Screen.of(
                        "consoleNewPipe",
                        SERVICE + "/new-pipe",
                        "Create a pipe",
                        create("kafka", "Create a pipe from Kafka", KAFKA + TO_TABLE),
                        create("files", "Create a pipe from object storage", FILES + TO_TABLE),
                        create("kinesis", "Create a pipe from Kinesis", KINESIS + TO_TABLE),
                        create("postgres", "Create a pipe from PostgreSQL", POSTGRES))
                .leadingTo(new Way(PAGES, "Pipes of this service"));
    }

    private static Asked create(String name, String label, String example) {
        return new Asked(Form.of(name, label, Verb.POST, PIPES, Input.body("The pipe, as JSON", example))
                .leadingTo(PAGES + "/{id}"));
    }

    private static Screen pipe() {
        String path = PIPES + "/{pipeId}";
        return Screen.of(
                        "consolePipe",
                        PAGES + "/{pipeId}",
                        "Pipe {name}",
                        command("start", "Start"),
                        command("stop", "Stop"),
                        new Asked(Form.of(
                                        "scale",
                                        "Scale",
                                        Verb.PATCH,
                                        path + "/scaling",
                                        Input.number("Replicas", "replicas", "").filledBy("scaling.replicas"),
                                        Input.number("Concurrency", "concurrency", "")
                                                .filledBy("scaling.concurrency"),
                                        Input.number("CPU of a replica, millicores", "replicaCpuMillicores", "")
                                                .filledBy("scaling.replicaCpuMillicores"),
                                        Input.number("Memory of a replica, GB", "replicaMemoryGb", "")
                                                .filledBy("scaling.replicaMemoryGb"))
                                .filledFrom(path)),
                        new Facts(
                                "Errors that are read again",
                                path + "/errors/replay",
                                List.of(Column.text("Replays asked for", "replay"), Column.text("Done", "done")),
                                "A pipe from a database keeps no errors."),
                        new Asked(Form.of("replay", "Read its errors again", Verb.POST, path + "/errors/replay")),
                        new Lines(
                                "Offsets",
                                path + "/offsets",
                                "partitions",
                                List.of(
                                        Column.text("Partition", "partition"),
                                        Column.text("Offset", "offset"),
                                        Column.text("Sequence number", "lastSequenceNumber"),
                                        Column.text("Lag, records", "lag"),
                                        Column.text("Lag, milliseconds", "millisBehindLatest")),
                                "",
                                "No partition has been read, or this source has none.",
                                List.of()),
                        new Asked(Form.of(
                                "seek",
                                "Read on from elsewhere, while the pipe is stopped",
                                Verb.PUT,
                                path + "/offsets",
                                Input.choice("From", "to", "beginning", "end", "time", "offset", "sequenceNumber"),
                                Input.text("Time, as 2030-01-01T00:00:00Z", "time", ""),
                                Input.number("Offset", "offset", ""),
                                Input.text("Sequence number", "sequenceNumber", ""),
                                Input.lines("Partitions, one in each line; empty for all", "partitions", ""))),
                        new Asked(Form.of(
                                "settings",
                                "Change its settings",
                                Verb.PUT,
                                path + "/settings",
                                Input.body("Settings, as JSON", "{\"streaming_max_insert_wait_ms\": 1000}"))),
                        new Asked(Form.of(
                                "resync",
                                "Load everything again (PostgreSQL and MySQL)",
                                Verb.PATCH,
                                path + "/state",
                                Input.fixed("command", "resync"),
                                Input.text("One table only; empty for all", "targetTable", ""))),
                        new Asked(Form.of("delete", "Delete this pipe", Verb.DELETE, path)
                                .typing("name")
                                .leadingTo(PAGES)))
                .about(path)
                .watching(
                        new Facts(
                                "How it is",
                                path,
                                List.of(
                                        Column.state("State", "state"),
                                        Column.text("Reason", "stateReason"),
                                        Column.text("Replicas", "scaling.replicas"),
                                        Column.figure("Workers that run", "WORKERS"),
                                        Column.figure("Lag, records", "LAG_RECORDS"),
                                        Column.figure("Lag, seconds", "LAG_SECONDS"),
                                        Column.rate("Records fetched", "FETCHED_EVENTS"),
                                        Column.rate("Records sent", "SENT_EVENTS"),
                                        Column.byteRate("Data sent, uncompressed", "SENT_BYTES"),
                                        Column.figure("Fetched since its start", "FETCHED_EVENTS"),
                                        Column.figure("Sent since its start", "SENT_EVENTS"),
                                        Column.figure("Not ingested since its start", "ERRORS"),
                                        Column.figure("Not ingested, percent of five minutes", "ERROR_PERCENT"),
                                        Column.moment("Made", "createdAt")),
                                ""),
                        new Facts(
                                "What it reads and writes",
                                path,
                                List.of(
                                        Column.json("Source", "source"),
                                        Column.json("Destination", "destination"),
                                        Column.json("Settings", "settings")),
                                ""))
                .leadingTo(new Way(PAGES, "Pipes of this service"), new Way(SERVICE, "The service"));
    }

    private static Asked command(String command, String label) {
        return new Asked(
                Form.of(command, label, Verb.PATCH, PIPES + "/{pipeId}/state", Input.fixed("command", command)));
    }
}
