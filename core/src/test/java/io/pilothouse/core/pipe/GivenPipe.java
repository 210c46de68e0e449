package io.pilothouse.core.pipe;

import static io.pilothouse.core.service.Given.NOON;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.Trees;
import io.pilothouse.core.service.Given;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Pipes that tests begin with, and the requests that make them. */
public final class GivenPipe {
    static final UUID PIPE = UUID.fromString("66666666-6666-4666-8666-666666666666");
    static final String PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
    static final Map<String, Object> KAFKA = Map.of("brokers", "b:9092", "topics", "events");
    static final Map<String, Object> STORAGE = Map.of("url", "https://bucket.s3.amazonaws.com/*.json");
    static final Map<String, Object> KINESIS = Map.of("streamName", "s", "region", "us-east-1");
    static final Map<String, Object> MAPPING =
            Map.of("sourceSchemaName", "public", "sourceTable", "t", "targetTable", "public_t");
    static final Map<String, Object> POSTGRES = Map.of(
            "host",
            "db",
            "database",
            "app",
            "credentials",
            Map.of("username", "u", "password", "p"),
            "tableMappings",
            List.of(MAPPING));
    static final Map<String, Object> MYSQL = Map.of(
            "host", "db", "credentials", Map.of("username", "u", "password", "p"), "tableMappings", List.of(MAPPING));
    static final Map<String, Object> COLLECTION =
            Map.of("sourceDatabaseName", "shop", "sourceCollection", "c", "targetTable", "shop_c");
    static final Map<String, Object> MONGODB = Map.of(
            "uri",
            "mongodb+srv://cluster.example.org/shop",
            "readPreference",
            "secondary",
            "tableMappings",
            List.of(COLLECTION));
    static final Map<String, Object> ACCOUNT = Map.of("serviceAccountFile", "e30=");
    static final Map<String, Object> BIGQUERY = Map.of(
            "snapshotStagingPath",
            "gs://bucket/staging/",
            "credentials",
            ACCOUNT,
            "tableMappings",
            List.of(Map.of("sourceDatasetName", "d", "sourceTable", "t", "targetTable", "d_t")));
    static final Map<String, Object> PUBSUB =
            Map.of("projectId", "my-project", "topic", "events", "serviceAccountKey", ACCOUNT);
    static final Map<String, Object> DESTINATION = Map.of(
            "table",
            "t",
            "managedTable",
            true,
            "tableDefinition",
            Map.of("sortingKey", List.of("id")),
            "columns",
            List.of(column("id"), column("v")));
    static final Tree.Items MAPPINGS = Trees.items(mapping("id"), mapping("v"));

    private GivenPipe() {}

    /** The outcome of a request, and its faults. */
    record Made(Optional<PipeDesign.Designed> designed, List<Fault> faults) {
        Pipe pipe() {
            return designed.orElseThrow().pipe();
        }

        List<String> paths() {
            return faults.stream().map(Fault::path).toList();
        }
    }

    static Map<String, Object> column(String name) {
        return Map.of("name", name, "type", "Int64");
    }

    static Map<String, Object> mapping(String name) {
        return Map.of("sourceField", name, "destinationField", name);
    }

    static Made make(String kind, Map<String, Object> source) {
        boolean database = PipeKind.find(kind).filter(PipeKind::database).isPresent();
        return make(new PipeDraft(
                "pipe",
                Trees.members(Map.of(kind, source)),
                database ? null : Trees.members(DESTINATION),
                database ? null : MAPPINGS,
                null,
                null,
                null));
    }

    static Made makeInto(Map<String, Object> destination, Tree.@Nullable Items mappings) {
        return make(new PipeDraft(
                "pipe", Trees.members(Map.of("kafka", KAFKA)), Trees.members(destination), mappings, null, null, null));
    }

    static Made make(PipeDraft draft) {
        Faults faults = new Faults();
        Optional<PipeDesign.Designed> designed =
                new PipeDesign(Given.SEED, faults).create(PIPE, Given.SERVICE, Given.ORGANIZATION, draft, NOON);
        return new Made(designed, faults.list());
    }

    public static Pipe pipe(String kind) {
        return make(
                        kind,
                        switch (kind) {
                            case "kafka" -> KAFKA;
                            case "kinesis" -> KINESIS;
                            case "postgres" -> POSTGRES;
                            case "mysql" -> MYSQL;
                            case "mongodb" -> MONGODB;
                            case "bigquery" -> BIGQUERY;
                            case "pubsub" -> PUBSUB;
                            default -> STORAGE;
                        })
                .pipe();
    }

    static Pipe seen(Pipe pipe, PipePhase phase) {
        return pipe.withSeen(
                new PipeSeen(phase, pipe.want().generation(), pipe.want().resyncs(), null, NOON));
    }
}
