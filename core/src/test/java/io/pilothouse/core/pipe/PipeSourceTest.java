package io.pilothouse.core.pipe;

import static io.pilothouse.core.base.Trees.with;
import static io.pilothouse.core.base.Trees.without;
import static io.pilothouse.core.pipe.GivenPipe.KAFKA;
import static io.pilothouse.core.pipe.GivenPipe.KINESIS;
import static io.pilothouse.core.pipe.GivenPipe.PEM;
import static io.pilothouse.core.pipe.GivenPipe.PUBSUB;
import static io.pilothouse.core.pipe.GivenPipe.STORAGE;
import static io.pilothouse.core.pipe.GivenPipe.make;
import static io.pilothouse.core.pipe.PipeSourceRow.bad;
import static io.pilothouse.core.pipe.PipeSourceRow.fine;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.Trees;
import io.pilothouse.core.service.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every field of the contract's sources (2.5) and the rules that tie them together. */
class PipeSourceTest {
    private static final Map<String, Object> LOGIN = Map.of("username", "u", "password", "p");
    private static final Map<String, Object> KEY = Map.of("accessKeyId", "a", "secretKey", "s");

    private static void ports(List<PipeSourceRow> rows) {
        bad(rows, "objectStorage", "url", with(STORAGE, "url", "https://files.example.com:65536/in/*.json"));
        bad(rows, "objectStorage", "url", with(STORAGE, "url", "http://[::1]:70000"));
        fine(
                rows,
                "objectStorage",
                "a key like a port",
                with(STORAGE, "url", "https://h:8443/a/{b,c:99999}/h:77777/x"));
    }

    private static List<PipeSourceRow> rows() {
        List<PipeSourceRow> rows = new ArrayList<>();
        kafka(rows);
        storage(rows);
        ports(rows);
        kinesis(rows);
        pubsub(rows);
        return rows;
    }

    private static void pubsub(List<PipeSourceRow> rows) {
        Map<String, Object> byTime = with(PUBSUB, "seekType", "timestamp");
        fine(rows, "pubsub", "is enough", PUBSUB);
        bad(rows, "pubsub", "projectId", without(PUBSUB, "projectId"));
        bad(rows, "pubsub", "topic", without(PUBSUB, "topic"));
        bad(rows, "pubsub", "serviceAccountKey", without(PUBSUB, "serviceAccountKey"));
        bad(rows, "pubsub", "seekTimestamp", byTime);
        bad(rows, "pubsub", "seekTimestamp", with(PUBSUB, "seekTimestamp", "2026-04-10T12:00:00Z"));
        bad(rows, "pubsub", "seekTimestamp", with(byTime, "seekTimestamp", "yesterday"));
        bad(rows, "pubsub", "seekTimestamp", with(byTime, "seekTimestamp", "2026-02-30T12:00:00Z"));
        fine(rows, "pubsub", "a time", with(byTime, "seekTimestamp", "2026-04-10T12:00:00Z"));
        bad(rows, "pubsub", "filter", with(PUBSUB, "filter", "x".repeat(257)));
        bad(rows, "pubsub", "ackDeadline", with(PUBSUB, "ackDeadline", 9));
        fine(rows, "pubsub", "a deadline", with(PUBSUB, "ackDeadline", 600));
    }

    private static void kafka(List<PipeSourceRow> rows) {
        fine(rows, "kafka", "is enough", KAFKA);
        bad(rows, "kafka", "brokers", without(KAFKA, "brokers"));
        bad(rows, "kafka", "topics", with(KAFKA, "topics", ""));
        bad(rows, "kafka", "topics", with(KAFKA, "topics", "  "));
        bad(rows, "kafka", "type", with(KAFKA, "type", "rabbit"));
        bad(rows, "kafka", "format", with(KAFKA, "format", "XML"));
        bad(rows, "kafka", "brokers", with(KAFKA, "brokers", 5));
        bad(rows, "kafka", "brokers", with(KAFKA, "brokers", "a:9092, SSL://b:65536"));
        fine(rows, "kafka", "the last port", with(KAFKA, "brokers", "a:65535,SSL://[::1]:09092, b"));
        bad(rows, "kafka", "schemaRegistry.url", with(KAFKA, "schemaRegistry", Map.of("url", "https://r:123456/a")));
        bad(rows, "kafka", "exactlyOnce", with(KAFKA, "exactlyOnce", "yes"));
        bad(rows, "kafka", "brokers", with(KAFKA, "brokers", "x".repeat(70_000)));
        fine(rows, "kafka", "a role means MSK", with(KAFKA, "iamRole", "arn:r"));
        fine(
                rows,
                "kafka",
                "a role of brokers that are like MSK",
                with(with(KAFKA, "iamRole", "arn:r"), "type", "kafka"));
        bad(rows, "kafka", "authentication", with(with(KAFKA, "iamRole", "arn:r"), "type", "redpanda"));
        fine(rows, "kafka", "blank is not given", with(with(KAFKA, "iamRole", ""), "authentication", ""));
        fine(rows, "kafka", "a blank type", with(with(KAFKA, "iamRole", "arn:r"), "type", ""));
        bad(rows, "kafka", "type", with(login("PLAIN", "kafka", LOGIN), "type", "rabbit"));
        bad(rows, "kafka", "authentication", with(KAFKA, "authentication", "KERBEROS"));
        bad(rows, "kafka", "iamRole", with(with(KAFKA, "type", "msk"), "authentication", "IAM_ROLE"));
        bad(rows, "kafka", "iamRole", with(login("PLAIN", "kafka", LOGIN), "iamRole", "arn:r"));
        bad(rows, "kafka", "authentication", with(KAFKA, "type", "msk"));
        bad(rows, "kafka", "credentials", with(KAFKA, "credentials", LOGIN));
        bad(rows, "kafka", "credentials", login("PLAIN", "kafka", KEY));
        bad(rows, "kafka", "credentials", with(login("PLAIN", "kafka", LOGIN), "credentials", "text"));
        fine(rows, "kafka", "an access key", login("IAM_USER", "msk", KEY));
        fine(rows, "kafka", "Event Hubs", login("PLAIN", "azureeventhub", Map.of("connectionString", "c")));
        fine(rows, "kafka", "mutual TLS", login("MUTUAL_TLS", "kafka", Map.of("certificate", PEM, "privateKey", "k")));
        bad(rows, "kafka", "caCertificate", with(KAFKA, "caCertificate", "no pem"));
        fine(rows, "kafka", "a CA", with(KAFKA, "caCertificate", PEM));
        bad(rows, "kafka", "offset.timestamp", with(KAFKA, "offset", Map.of("strategy", "from_timestamp")));
        bad(
                rows,
                "kafka",
                "offset.timestamp",
                with(KAFKA, "offset", Map.of("strategy", "from_timestamp", "timestamp", "yesterday")));
        bad(
                rows,
                "kafka",
                "offset.timestamp",
                with(KAFKA, "offset", Map.of("strategy", "from_timestamp", "timestamp", "2026-02-30T00:00")));
        bad(
                rows,
                "kafka",
                "offset.timestamp",
                with(KAFKA, "offset", Map.of("strategy", "from_latest", "timestamp", "2026-01-01T00:00")));
        fine(
                rows,
                "kafka",
                "a time",
                with(KAFKA, "offset", Map.of("strategy", "from_timestamp", "timestamp", "2026-01-01T00:00")));
        bad(rows, "kafka", "offset", with(KAFKA, "offset", "from_latest"));
        bad(rows, "kafka", "schemaRegistry.url", with(KAFKA, "schemaRegistry", Map.of("url", "http://r")));
        bad(rows, "kafka", "schemaRegistry.url", with(KAFKA, "schemaRegistry", Map.of("authentication", "PLAIN")));
        bad(rows, "kafka", "schemaRegistry", with(KAFKA, "format", "AvroConfluent"));
        fine(
                rows,
                "kafka",
                "a registry",
                with(
                        with(KAFKA, "format", "AvroConfluent"),
                        "schemaRegistry",
                        Map.of("url", "https://r", "authentication", "PLAIN", "credentials", LOGIN)));
        bad(
                rows,
                "kafka",
                "reversePrivateEndpointIds[0]",
                with(KAFKA, "reversePrivateEndpointIds", List.of("not-an-id")));
        bad(rows, "kafka", "reversePrivateEndpointIds[0]", with(KAFKA, "reversePrivateEndpointIds", List.of(7)));
        bad(
                rows,
                "kafka",
                "reversePrivateEndpointIds[0]",
                with(KAFKA, "reversePrivateEndpointIds", List.of("1-1-1-1-1")));
        bad(rows, "kafka", "reversePrivateEndpointIds", with(KAFKA, "reversePrivateEndpointIds", "id"));
        fine(rows, "kafka", "a route", with(KAFKA, "reversePrivateEndpointIds", List.of(GivenPipe.PIPE.toString())));
    }

    private static void storage(List<PipeSourceRow> rows) {
        Map<String, Object> queue = with(with(STORAGE, "isContinuous", true), "queueUrl", "https://sqs/q");
        Map<String, Object> keyed = with(with(queue, "authentication", "IAM_USER"), "accessKey", KEY);
        Map<String, Object> azure = Map.of(
                "type", "azureblobstorage",
                "authentication", "CONNECTION_STRING",
                "connectionString", "c",
                "path", "p",
                "azureContainerName", "n");
        fine(rows, "objectStorage", "public", STORAGE);
        bad(rows, "objectStorage", "url", Map.of());
        bad(rows, "objectStorage", "compression", with(STORAGE, "compression", "rar"));
        bad(rows, "objectStorage", "path", with(STORAGE, "path", "p"));
        fine(rows, "objectStorage", "Azure", azure);
        bad(rows, "objectStorage", "url", with(azure, "url", "https://x"));
        bad(rows, "objectStorage", "azureContainerName", without(azure, "azureContainerName"));
        bad(rows, "objectStorage", "authentication", without(azure, "authentication"));
        fine(rows, "objectStorage", "a queue", keyed);
        bad(rows, "objectStorage", "queueUrl", without(keyed, "isContinuous"));
        bad(rows, "objectStorage", "queueUrl", queue);
        bad(rows, "objectStorage", "queueUrl", with(keyed, "queueUrl", "arn:aws:sqs:us-east-1:1:q"));
        fine(rows, "objectStorage", "a queue of another server", with(keyed, "queueUrl", "http://127.0.0.1:5555/1/q"));
        bad(rows, "objectStorage", "queueUrl", with(keyed, "type", "dospaces"));
        bad(rows, "objectStorage", "queueUrl", with(keyed, "type", "gcs"));
        fine(
                rows,
                "objectStorage",
                "a subscription",
                with(with(keyed, "type", "gcs"), "queueUrl", "projects/p/subscriptions/s"));
        bad(rows, "objectStorage", "accessKey", without(keyed, "accessKey"));
        bad(rows, "objectStorage", "accessKey.secretKey", with(keyed, "accessKey", Map.of("accessKeyId", "a")));
        bad(rows, "objectStorage", "authentication", with(keyed, "authentication", "SERVICE_ACCOUNT"));
        bad(rows, "objectStorage", "iamRole", with(keyed, "iamRole", "arn:r"));
        fine(rows, "objectStorage", "a role", with(STORAGE, "iamRole", "arn:r"));
        fine(
                rows,
                "objectStorage",
                "a service account",
                with(
                        with(with(STORAGE, "type", "gcs"), "authentication", "SERVICE_ACCOUNT"),
                        "serviceAccountKey",
                        "k"));
        bad(rows, "objectStorage", "skipInitialLoad", with(STORAGE, "skipInitialLoad", true));
        fine(rows, "objectStorage", "no first load", with(keyed, "skipInitialLoad", true));
        bad(rows, "objectStorage", "startAfter", with(with(keyed, "skipInitialLoad", true), "startAfter", "k"));
    }

    private static void kinesis(List<PipeSourceRow> rows) {
        fine(rows, "kinesis", "is enough", KINESIS);
        bad(rows, "kinesis", "streamName", without(KINESIS, "streamName"));
        bad(rows, "kinesis", "timestamp", with(KINESIS, "timestamp", 1));
        bad(rows, "kinesis", "timestamp", with(KINESIS, "iteratorType", "AT_TIMESTAMP"));
        bad(rows, "kinesis", "timestamp", with(with(KINESIS, "iteratorType", "AT_TIMESTAMP"), "timestamp", 1.5));
        Map<String, Object> byTime = with(KINESIS, "iteratorType", "AT_TIMESTAMP");
        bad(rows, "kinesis", "timestamp", with(byTime, "timestamp", "1"));
        bad(rows, "kinesis", "timestamp", with(byTime, "timestamp", true));
        bad(rows, "kinesis", "timestamp", with(byTime, "timestamp", "2024-02-30T00:00"));
        fine(rows, "kinesis", "a time as text", with(byTime, "timestamp", "2024-01-01T00:00"));
        fine(
                rows,
                "kinesis",
                "a time",
                with(with(KINESIS, "iteratorType", "AT_TIMESTAMP"), "timestamp", 1_700_000_000));
        fine(rows, "kinesis", "a role", with(KINESIS, "iamRole", "arn:r"));
        bad(rows, "kinesis", "accessKey", with(KINESIS, "authentication", "IAM_USER"));
        bad(rows, "kinesis", "accessKey", with(KINESIS, "accessKey", KEY));
    }

    @TestFactory
    Stream<DynamicTest> everyRuleOfASourceHolds() {
        return rows().stream().map(PipeSourceRow::test);
    }

    @Test
    void theAuthenticationMatrixOfKafkaIsTheLiveOne() {
        Map<String, Set<String>> matrix = Map.of(
                "kafka", Set.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "IAM_ROLE", "MUTUAL_TLS"),
                "msk", Set.of("SCRAM-SHA-512", "IAM_ROLE", "IAM_USER", "MUTUAL_TLS"),
                "confluent", Set.of("PLAIN", "MUTUAL_TLS"),
                "gcmk", Set.of("PLAIN", "MUTUAL_TLS"),
                "warpstream", Set.of("PLAIN"),
                "azureeventhub", Set.of("PLAIN"),
                "redpanda", Set.of("SCRAM-SHA-256", "SCRAM-SHA-512", "MUTUAL_TLS"),
                "dokafka", Set.of("SCRAM-SHA-256", "MUTUAL_TLS"));
        matrix.forEach((type, ways) -> {
            for (String way :
                    List.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "IAM_ROLE", "IAM_USER", "MUTUAL_TLS")) {
                boolean refused = make("kafka", with(with(KAFKA, "type", type), "authentication", way))
                        .paths()
                        .contains("source.kafka.authentication");
                assertThat(refused).as(type + " with " + way).isEqualTo(!ways.contains(way));
            }
        });
    }

    @Test
    void secretsAreKeptApartFromWhatIsShown() {
        PipeDesign.Designed made =
                make("kafka", login("PLAIN", "kafka", LOGIN)).designed().orElseThrow();
        assertThat(made.pipe().source().has("credentials")).isFalse();
        assertThat(made.secrets()).isEqualTo(Trees.members(Map.of("credentials", LOGIN)));
        PipeDesign.Designed registry = make(
                        "kafka",
                        with(
                                KAFKA,
                                "schemaRegistry",
                                Map.of("url", "https://r", "authentication", "PLAIN", "credentials", LOGIN)))
                .designed()
                .orElseThrow();
        assertThat(registry.pipe()
                        .source()
                        .members("schemaRegistry")
                        .orElseThrow()
                        .has("credentials"))
                .isFalse();
        assertThat(registry.secrets().members("schemaRegistry").orElseThrow().has("credentials"))
                .isTrue();
    }

    @Test
    void defaultsAreFilledIn() {
        Tree.Members kafka = GivenPipe.pipe("kafka").source();
        assertThat(kafka.text("type")).contains("kafka");
        assertThat(kafka.text("consumerGroup")).contains("clickpipes-" + GivenPipe.PIPE);
        assertThat(make("kafka", with(KAFKA, "consumerGroup", "mine"))
                        .pipe()
                        .source()
                        .text("consumerGroup"))
                .contains("mine");
        Tree.Members settings =
                GivenPipe.pipe("postgres").source().members("settings").orElseThrow();
        assertThat(settings.text("replicationMode")).contains("cdc");
        assertThat(settings.number("syncIntervalSeconds")).contains(60.0);
        assertThat(GivenPipe.pipe("postgres").source().number("port")).contains(5432.0);
        assertThat(GivenPipe.pipe("mysql").source().number("port")).contains(3306.0);
    }

    @Test
    void whatNobodyGaveIsNotThere() {
        assertThat(GivenPipe.pipe("kafka").source().values())
                .doesNotContainKeys("exactlyOnce", "reversePrivateEndpointIds");
        assertThat(GivenPipe.pipe("objectStorage").source().values())
                .doesNotContainKeys("delimiter", "compression", "skipInitialLoad");
        assertThat(make("kafka", with(KAFKA, "exactlyOnce", false))
                        .pipe()
                        .source()
                        .find("exactlyOnce"))
                .contains(new Tree.Flag(false));
        assertThat(GivenPipe.pipe("pubsub").source().values())
                .doesNotContainKeys("enableOrdering", "ackDeadline", "filter", "serviceAccountKey");
    }

    @Test
    void aMomentComesBackAsItWasGiven() {
        Map<String, Object> byTime = with(KINESIS, "iteratorType", "AT_TIMESTAMP");
        assertThat(timestamp(with(byTime, "timestamp", "2024-01-01T00:00")))
                .isEqualTo(new Tree.Text("2024-01-01T00:00"));
        assertThat(timestamp(with(byTime, "timestamp", 1_704_067_200))).isEqualTo(new Tree.Figure(1_704_067_200));
    }

    private static Tree timestamp(Map<String, Object> kinesis) {
        return make("kinesis", kinesis).pipe().source().find("timestamp").orElseThrow();
    }

    @Test
    void exactlyOneKindOfSourceIsNamed() {
        assertThat(sources(Map.of())).containsExactly("source");
        assertThat(sources(Map.of("kafka", KAFKA, "kinesis", KINESIS))).containsExactly("source");
        assertThat(sources(Map.of("oracle", Map.of("host", "h")))).containsExactly("source");
        assertThat(sources(Map.of("kafka", "text"))).contains("source.kafka");
        assertThat(sources(Map.of("kafka", KAFKA, "kinesis", "", "other", 1))).isEmpty();
        assertThat(make(new PipeDraft(null, null, null, null, null, null, null)).paths())
                .containsExactly("name", "source");
        assertThat(make(new PipeDraft(" ", null, null, null, null, null, null)).paths())
                .containsExactly("name", "source");
        Faults mistyped = new Faults();
        mistyped.add("name", "must be a string");
        mistyped.add("source", "must be an object");
        new PipeDesign(Given.SEED, mistyped)
                .create(
                        GivenPipe.PIPE,
                        Given.SERVICE,
                        Given.ORGANIZATION,
                        new PipeDraft(null, null, null, null, null, null, null),
                        Given.NOON);
        assertThat(mistyped.list()).hasSize(2);
    }

    private static List<String> sources(Map<String, Object> source) {
        return make(new PipeDraft(
                        "pipe",
                        Trees.members(source),
                        Trees.members(GivenPipe.DESTINATION),
                        GivenPipe.MAPPINGS,
                        null,
                        null,
                        null))
                .paths();
    }

    private static Map<String, Object> login(String authentication, String type, Map<String, Object> credentials) {
        return with(with(with(KAFKA, "type", type), "authentication", authentication), "credentials", credentials);
    }

    @Test
    void aQueueIsNotHeldAgainstAnUnknownKindOfStorage() {
        Map<String, Object> keyed = with(with(STORAGE, "authentication", "IAM_USER"), "accessKey", KEY);
        Map<String, Object> odd = with(with(keyed, "type", "floppy"), "isContinuous", true);
        assertThat(make("objectStorage", with(odd, "queueUrl", "https://sqs/q")).paths())
                .contains("source.objectStorage.type")
                .doesNotContain("source.objectStorage.queueUrl");
    }
}
