package io.pilothouse.server.api;

import static io.pilothouse.http.api.Operation.clickPipeCreate;
import static io.pilothouse.http.api.Operation.clickPipeOffsetsUpdate;
import static io.pilothouse.http.api.Operation.clickPipeScalingUpdate;
import static io.pilothouse.http.api.Operation.clickPipeSchemaDiscovery;
import static io.pilothouse.http.api.Operation.clickPipeSettingsUpdate;
import static io.pilothouse.http.api.Operation.clickPipeStateUpdate;
import static io.pilothouse.http.api.Operation.clickPipeUpdate;

import io.pilothouse.http.api.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Pipes of every kind of source with every way to authenticate, tables of every engine, and changes of them. */
final class LimitPipes {
    private static final int MAX_ITEMS = 10_000;
    private static final String LONG = "i".repeat(65_536);
    private static final String PEM = "'caCertificate': '-----BEGIN CERTIFICATE-----'";
    private static final String USER = "'credentials': {'username': 'u', 'password': 'p'}";
    private static final String CERTIFICATE = """
            'authentication': 'MUTUAL_TLS', 'credentials': {'certificate': 'c', 'privateKey': 'k'}""";
    private static final String CONNECTION = "'authentication': 'PLAIN', 'credentials': {'connectionString': 'c'}";
    private static final String BY_KEY =
            "'authentication': 'IAM_USER', 'accessKey': {'accessKeyId': 'a', 'secretKey': 'b'}";
    private static final String BY_KAFKA_KEY = """
            'authentication': 'IAM_USER', 'credentials': {'accessKeyId': 'a', 'secretKey': 'b'}""";
    private static final String BY_ROLE = "'authentication': 'IAM_ROLE', 'iamRole': 'r'";
    private static final String AZURE = """
            'authentication': 'CONNECTION_STRING', 'connectionString': 'c', 'path': 'p', 'azureContainerName': 'n'""";
    private static final String ACCOUNT = "'authentication': 'SERVICE_ACCOUNT', 'serviceAccountKey': 'k'";

    /** Its target is called what the walk makes up for a name. */
    private static final String TABLE = """
            {'sourceSchemaName': 'a', 'sourceTable': 'b', 'targetTable': 'fd00::1', 'excludedColumns': ['a'],
             'useCustomSortingKey': true, 'sortingKeys': ['b']}""";

    private static final String COLLECTION = "{'sourceDatabaseName': 'a', 'sourceCollection': 'b', 'targetTable': 'c'}";
    private static final String DATASET_TABLE = TABLE.replace("sourceSchemaName", "sourceDatasetName");
    private static final String FILE = "'serviceAccountKey': {'serviceAccountFile': 'k'}";
    private static final String COLUMNS = "'columns': [{'name': 'i', 'type': 'UInt64'}]";
    private static final String MAPPINGS = "'fieldMappings': [{'sourceField': 'i', 'destinationField': 'i'}]";
    private static final String REPLACING = """
            {'engine': {'type': 'ReplacingMergeTree', 'versionColumnId': 'i'}, 'sortingKey': ['i']}""";

    /** Sources without the type, by kind and type; the second of a type has what the first cannot. */
    private static final List<String> SOURCES = List.of(
            kafka("kafka", "'reversePrivateEndpointIds': " + list(MAX_ITEMS, i -> "'{route}'")),
            kafka("kafka", PEM + """
                    , 'format': 'AvroConfluent', 'reversePrivateEndpointIds': ['{route}'],
                    'offset': {'strategy': 'from_timestamp', 'timestamp': '2026-01-01T00:00'},
                    'schemaRegistry': {'url': 'https://r.example.org', 'authentication': 'PLAIN',
                    """ + USER + "}, " + by("PLAIN")),
            kafka("kafka", "'offset': {'strategy': 'from_latest', 'timestamp': ''}, " + by("PLAIN")),
            kafka("kafka", CERTIFICATE),
            kafka("dokafka", by("SCRAM-SHA-256")),
            kafka("redpanda", by("SCRAM-SHA-256")),
            kafka("confluent", by("PLAIN")),
            kafka("gcmk", by("PLAIN")),
            kafka("warpstream", by("PLAIN")),
            kafka("msk", by("SCRAM-SHA-512")),
            kafka("msk", BY_ROLE),
            kafka("msk", BY_KAFKA_KEY),
            kafka("azureeventhub", CONNECTION),
            storage("s3", BY_KEY + """
                    , 'url': 'https://b.example.org/*', 'isContinuous': true, 'queueUrl': 'https://q.example.org',
                    'skipInitialLoad': true"""),
            storage("s3", BY_KEY + ", 'url': 'u'"),
            storage("s3", BY_ROLE + ", 'url': 'u'"),
            storage("gcs", ACCOUNT + ", 'url': 'u'"),
            storage("azureblobstorage", AZURE + ", 'url': ''"),
            "'kinesis': {'streamName': 's', 'region': 'r', " + BY_ROLE + "}",
            "'kinesis': {'streamName': 's', 'region': 'r', 'iteratorType': 'AT_TIMESTAMP', 'timestamp': 5, " + BY_KEY
                    + "}",
            postgres(PEM + ", 'settings': {}, " + USER),
            postgres(BY_ROLE + ", 'credentials': {'username': 'u'}"),
            postgres("'settings': {'replicationMode': 'cdc_only', 'replicationSlotName': 's'}, " + USER),
            "'kafka': {'type': 'kafka', 'brokers': 'b', 'topics': 't', " + BY_ROLE + "}",
            "'kinesis': {'streamName': 's', 'region': 'r', 'iteratorType': 'AT_TIMESTAMP', 'timestamp': '2026-01-01T00:00', "
                    + BY_ROLE + "}",
            "'pubsub': {'projectId': 'p', 'topic': 't', 'filter': 'f', 'ackDeadline': 10, " + FILE + "}",
            "'pubsub': {'projectId': 'p', 'topic': 't', 'seekType': 'timestamp', 'seekTimestamp': '2026-01-01T00:00:00Z', "
                    + FILE + "}",
            mysql("'type': 'rdsmariadb', 'serverId': 1, 'settings': {'replicationMechanism': 'GTID'}, " + PEM + ", "
                    + USER),
            mysql("'settings': {'replicationMechanism': 'FILE_POS'}, " + USER),
            mysql(BY_ROLE + ", 'credentials': {'username': 'u'}"),
            "'mongodb': {'uri': 'mongodb://h', 'readPreference': 'primary', 'settings': {}, " + PEM + ", " + USER
                    + ", 'tableMappings': [" + COLLECTION + "]}",
            "'bigquery': {'snapshotStagingPath': 'gs://b', 'settings': {}, 'credentials': {'serviceAccountFile': 'k'}, "
                    + "'tableMappings': [" + DATASET_TABLE + "]}");

    private LimitPipes() {}

    static void addTo(Map<Operation, List<String>> all) {
        all.put(clickPipeCreate, largestFirst(Stream.concat(SOURCES.stream().map(LimitPipes::pipe), tables())));
        all.put(
                clickPipeSchemaDiscovery,
                largestFirst(
                        SOURCES.stream().filter(source -> !database(source)).map("{'source': {%s}}"::formatted)));
        all.put(clickPipeUpdate, largestFirst(changes().stream()));
        all.put(
                clickPipeSettingsUpdate,
                List.of("{'streaming_max_insert_wait_ms': 1000}", "{'object_storage_concurrency': 1}"));
        all.put(
                clickPipeOffsetsUpdate,
                List.of(
                        "{'to': 'end', 'partitions': ['events:0']}",
                        "{'to': 'offset', 'offset': 1, 'partitions': ['events:0']}",
                        "{'to': 'sequenceNumber', 'sequenceNumber': '49', 'partitions': ['fd00::1']}",
                        "{'to': 'time', 'time': '2026-01-01T00:00:00Z'}"));
        all.put(
                clickPipeStateUpdate,
                List.of(
                        "{'command': 'resync', 'targetTable': 'fd00::1'}",
                        "{'command': 'stop'}",
                        "{'command': 'start'}",
                        "{'command': 'resync'}"));
        all.put(
                clickPipeScalingUpdate,
                List.of("{'replicas': 2, 'concurrency': 2, 'replicaCpuMillicores': 250, 'replicaMemoryGb': 1}"));
    }

    /** Those with the longest lists show that these are taken, so that no other has to. */
    private static List<String> largestFirst(Stream<String> bodies) {
        return bodies.sorted(Comparator.comparing(body -> body.length() < LONG.length()))
                .toList();
    }

    /** A pipe that takes this change. */
    static String pipeFor(JsonNode change) {
        String kind = change.path("source").propertyNames().stream().findFirst().orElseGet(() -> {
            boolean stream = change.toString().contains("streaming") || change.has("command");
            return change.toString().contains("resync") ? "postgres" : stream ? "kafka" : "objectStorage";
        });
        String type = change.path("source").path(kind).path("type").asString("");
        String authentication =
                change.path("source").path(kind).path("authentication").asString("");
        return SOURCES.stream()
                .filter(source -> source.startsWith("'" + kind + "'") && source.contains(type))
                .filter(source -> !kind.equals("kinesis") || source.contains(authentication))
                .map(LimitPipes::pipe)
                .findFirst()
                .orElseThrow();
    }

    private static String kafka(String type, String more) {
        return "'kafka': {'type': '" + type + "', 'brokers': 'b', 'topics': 't', " + more + "}";
    }

    private static String by(String authentication) {
        return "'authentication': '" + authentication + "', " + USER;
    }

    private static String storage(String type, String more) {
        return "'objectStorage': {'type': '" + type + "', " + more + "}";
    }

    private static String postgres(String more) {
        return "'postgres': {'host': 'h', 'port': 5432, 'database': 'd', " + more + ", 'tableMappings': [" + TABLE
                + "]}";
    }

    private static String mysql(String more) {
        return "'mysql': {'host': 'h', " + more + ", 'tableMappings': [" + TABLE + "]}";
    }

    private static boolean database(String source) {
        return Stream.of("postgres", "mysql", "mongodb", "bigquery").anyMatch(kind -> source.startsWith("'" + kind));
    }

    private static String pipe(String source) {
        String settings = source.startsWith("'objectStorage'") ? "{}" : "{'db_parallel_view_processing': true}";
        return database(source)
                ? "{'name': 'Orders', 'source': {%s}, 'startPaused': false, 'destination': {'database': 'd', 'table': '', 'columns': []}}"
                        .formatted(source)
                : pipe(source, settings, table(REPLACING, COLUMNS), MAPPINGS);
    }

    private static String pipe(String source, String settings, String destination, String mappings) {
        return "{'name': 'Orders', 'source': {%s}, 'settings': %s, 'scaling': {}, 'startPaused': true, 'destination': %s, %s}"
                .formatted(source, settings, destination, mappings);
    }

    private static String table(String definition, String columns) {
        return "{'database': 'd', 'table': 't', 'managedTable': true, 'roles': ['r'], 'tableDefinition': %s, %s}"
                .formatted(definition, columns);
    }

    private static Stream<String> tables() {
        List<String> all = new ArrayList<>();
        for (String engine : List.of(
                "'type': 'SummingMergeTree', 'columnIds': ['i']",
                "'type': 'SummingMergeTree', 'columnIds': " + list(MAX_ITEMS, i -> "'i'"),
                "'type': 'MergeTree'",
                "'type': 'Null'")) {
            all.add(pipe(kafka("kafka", by("PLAIN")), "{}", table("{'engine': {" + engine + "}}", COLUMNS), MAPPINGS));
        }
        all.add(pipe(kafka("kafka", by("PLAIN")), "{}", table(REPLACING, COLUMNS), MAPPINGS)
                .replace("'i'", "'" + LONG + "'"));
        all.add(pipe(kafka("kafka", by("PLAIN")), "{}", table("{}", manyColumns()), manyMappings()));
        return all.stream();
    }

    private static String manyColumns() {
        return "'columns': " + list(MAX_ITEMS, i -> "{'name': 'a" + i + "', 'type': 't'}");
    }

    private static String manyMappings() {
        return "'fieldMappings': " + list(MAX_ITEMS, i -> "{'sourceField': 's', 'destinationField': 'a" + i + "'}");
    }

    private static List<String> changes() {
        List<String> sources = List.of(
                "'kafka': {'type': 'kafka', 'reversePrivateEndpointIds': ['{route}'], " + PEM + ", "
                        + by("SCRAM-SHA-256") + "}",
                "'kafka': {'type': 'kafka', 'reversePrivateEndpointIds': " + list(MAX_ITEMS, i -> "'{route}'") + "}",
                "'kafka': {'type': 'kafka', " + CERTIFICATE + "}",
                "'kafka': {'type': 'msk', " + BY_ROLE + ", 'credentials': null}",
                "'kafka': {'type': 'msk', " + BY_KAFKA_KEY + "}",
                "'kafka': {'type': 'azureeventhub', " + CONNECTION + "}",
                storage("s3", BY_KEY),
                storage("s3", BY_ROLE + ", 'accessKey': null"),
                storage("gcs", ACCOUNT),
                storage("azureblobstorage", AZURE),
                "'kinesis': {" + BY_ROLE + "}",
                "'kinesis': {" + BY_KEY + "}",
                "'postgres': {'port': 5433, 'settings': {}, " + PEM + ", " + USER + "}",
                "'postgres': {'tableMappingsToAdd': ["
                        + TABLE.replace("'fd00::1'", "'e'").replace("'b'", "'f'")
                        + "], 'tableMappingsToRemove': [{'sourceSchemaName': 'a', 'sourceTable': 'b'}]}",
                "'pubsub': {'ackDeadline': 600, " + FILE + "}",
                "'mysql': {'port': 3307, 'serverId': 2, 'settings': {'useCompression': true}, " + PEM + ", " + USER
                        + "}",
                "'mysql': {" + BY_ROLE + ", 'credentials': {'username': 'u'}}",
                "'mysql': {'tableMappingsToAdd': ["
                        + TABLE.replace("'fd00::1'", "'e'").replace("'b'", "'f'")
                        + "], 'tableMappingsToRemove': [{'sourceSchemaName': 'a', 'sourceTable': 'b'}]}",
                "'mongodb': {'uri': 'mongodb://other', 'readPreference': 'nearest', 'settings': {}, " + PEM + ", "
                        + USER + "}",
                "'mongodb': {'tableMappingsToAdd': ["
                        + COLLECTION.replace("'c'", "'e'").replace("'b'", "'f'")
                        + "], 'tableMappingsToRemove': [{'sourceDatabaseName': 'a', 'sourceCollection': 'b'}]}");
        List<String> all = new ArrayList<>();
        sources.forEach(source -> all.add("{'name': 'Orders', 'source': {" + source + "}, 'settings': {}}"));
        all.add("{'destination': {" + COLUMNS + "}, " + MAPPINGS + "}");
        all.add(("{'destination': {" + COLUMNS + "}, " + MAPPINGS + "}").replace("'i'", "'" + LONG + "'"));
        all.add("{'destination': {" + manyColumns() + "}, " + manyMappings() + "}");
        return all;
    }

    private static String list(int size, IntFunction<String> entry) {
        return IntStream.range(0, size).mapToObj(entry).collect(Collectors.joining(",", "[", "]"));
    }
}
