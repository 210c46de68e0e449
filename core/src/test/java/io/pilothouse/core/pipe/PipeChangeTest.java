package io.pilothouse.core.pipe;

import static io.pilothouse.core.base.Trees.with;
import static io.pilothouse.core.pipe.GivenPipe.column;
import static io.pilothouse.core.pipe.GivenPipe.mapping;
import static io.pilothouse.core.service.Given.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.Trees;
import io.pilothouse.core.service.Given;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipeChangeTest {
    private static final Tree.Members SECRETS =
            Trees.members(Map.of("credentials", Map.of("username", "u", "password", "p")));
    private final Faults faults = new Faults();

    @ParameterizedTest
    @CsvSource({
        "kafka, type, msk",
        "kafka, format, Avro",
        "kafka, brokers, other:9092",
        "kafka, topics, other",
        "kafka, consumerGroup, other",
        "objectStorage, url, https://other",
        "objectStorage, delimiter, ;",
        "objectStorage, compression, gzip",
        "objectStorage, queueUrl, https://q",
        "kinesis, streamName, other",
        "kinesis, region, eu-west-1",
        "kinesis, iteratorType, TRIM_HORIZON",
        "postgres, type, neon",
        "postgres, authentication, IAM_ROLE",
        "mysql, type, mariadb",
        "pubsub, topic, other",
        "pubsub, seekType, earliest"
    })
    void fieldsFixedAtCreationStay(String kind, String field, String value) {
        PipeDesign.Designed next = source(GivenPipe.pipe(kind), Map.of(field, value));
        assertThat(faults.has("source." + kind + "." + field)).isTrue();
        assertThat(next.pipe().source().find(field))
                .isEqualTo(GivenPipe.pipe(kind).source().find(field));
    }

    @Test
    void theSameValueAgainIsNoChange() {
        Pipe pipe = GivenPipe.pipe("kafka");
        source(pipe, Map.of("brokers", "b:9092", "topics", "", "format", "JSONEachRow"));
        assertThat(faults.none()).isTrue();
    }

    @Test
    void aRequiredFieldCannotBeEmptied() {
        for (String value : List.of("", "  ")) {
            Faults found = new Faults();
            PipeDesign.Designed next =
                    changed(GivenPipe.pipe("postgres"), Map.of("host", value, "database", value), found);
            assertThat(found.list())
                    .extracting(Fault::path)
                    .containsExactly("source.postgres.host", "source.postgres.database");
            assertThat(next.pipe().source().text("host")).contains("db");
        }
    }

    @Test
    void faultsOfTheRequestAreFoundWithoutThePipe() {
        PipeDraft change = new PipeDraft(
                "",
                Trees.members(Map.of(
                        "kafka",
                        Map.of(
                                "format",
                                "Paper",
                                "brokers",
                                "",
                                "offset",
                                Map.of("strategy", "from_nowhere"),
                                "schemaRegistry",
                                5,
                                "credentials",
                                Map.of("username", 7)))),
                Trees.members(Map.of("roles", "r", "tableDefinition", Map.of("sortingKey", List.of("")))),
                null,
                Trees.members(Map.of(
                        "db_max_threads", 65,
                        "object_storage_max_file_count", "many",
                        "db_parallel_view_processing", 1)),
                null,
                null);
        new PipeDesign(Given.SEED, faults).alone(change);
        assertThat(faults.list())
                .extracting(Fault::path)
                .containsExactlyInAnyOrder(
                        "name",
                        "source.kafka.format",
                        "source.kafka.credentials.username",
                        "source.kafka.offset.strategy",
                        "source.kafka.schemaRegistry",
                        "destination.tableDefinition.sortingKey[0]",
                        "destination.roles",
                        "settings.db_max_threads",
                        "settings.object_storage_max_file_count",
                        "settings.db_parallel_view_processing");
    }

    @Test
    void faultsThatDependOnThePipeAreNotFoundWithoutIt() {
        PipeDesign design = new PipeDesign(Given.SEED, faults);
        design.alone(new PipeDraft(null, null, null, null, null, null, null));
        design.alone(new PipeDraft(
                "renamed",
                Trees.members(Map.of("kafka", Map.of("brokers", "other:9092"), "postgres", Map.of("host", "h"))),
                Trees.members(Map.of("table", "other")),
                null,
                Trees.members(Map.of("db_max_threads", 64, "streaming_max_insert_wait_ms", 500)),
                null,
                null));
        assertThat(faults.list()).isEmpty();
    }

    @Test
    void aSourceThatIsNoObjectIsRefused() {
        change(
                GivenPipe.pipe("kafka"),
                new PipeDraft(null, Trees.members(Map.of("kafka", 5)), null, null, null, null, null));
        assertThat(faults.has("source.kafka")).isTrue();
    }

    @Test
    void aSourceThatIsLeftEmptyIsNotMalformed() {
        PipeDesign.Designed next = change(
                GivenPipe.pipe("kafka"),
                new PipeDraft(null, Trees.members(Map.of("kafka", "")), null, null, null, null, null));
        assertThat(faults.has("source.kafka")).isFalse();
        assertThat(next.pipe().source()).isEqualTo(GivenPipe.pipe("kafka").source());
    }

    @Test
    void aRequiredFieldOfAnotherTypeIsRefused() {
        source(GivenPipe.pipe("postgres"), Map.of("host", 5));
        assertThat(faults.has("source.postgres.host")).isTrue();
    }

    @Test
    void theCredentialsOfARegistryStay() {
        Pipe pipe = GivenPipe.make("kafka", with(GivenPipe.KAFKA, "schemaRegistry", Map.of("url", "https://r")))
                .pipe();
        Tree.Members registry = Trees.members(
                Map.of("schemaRegistry", Map.of("credentials", Map.of("username", "u", "password", "p"))));
        for (String password : List.of("p", "other")) {
            Map<String, Object> again = Map.of("credentials", Map.of("username", "u", "password", password));
            PipeDraft change = new PipeDraft(
                    null,
                    Trees.members(Map.of("kafka", Map.of("schemaRegistry", again))),
                    null,
                    null,
                    null,
                    null,
                    null);
            Faults found = new Faults();
            new PipeDesign(Given.SEED, found).change(pipe, registry, change, NOON);
            assertThat(found.has("source.kafka.schemaRegistry.credentials")).isEqualTo(password.equals("other"));
        }
    }

    @ParameterizedTest
    @CsvSource({"SERVICE_ACCOUNT, IAM_USER", "IAM_USER, SERVICE_ACCOUNT"})
    void aServiceAccountIsForTheWholeLifeOfAPipe(String before, String after) {
        Map<String, Object> bucket = Map.of("type", "gcs", "url", "https://storage.googleapis.com/b/x");
        Pipe pipe = GivenPipe.make("objectStorage", with(bucket, "authentication", before))
                .pipe();
        source(pipe, Map.of("authentication", after));
        assertThat(faults.has("source.objectStorage.authentication")).isTrue();
    }

    @Test
    void changeableFieldsChange() {
        Pipe pipe = GivenPipe.pipe("postgres");
        PipeDesign.Designed next = change(
                pipe,
                new PipeDraft(
                        "renamed",
                        Trees.members(Map.of(
                                "postgres",
                                Map.of(
                                        "host", "other",
                                        "credentials", Map.of("username", "v", "password", "q"),
                                        "settings", Map.of("syncIntervalSeconds", 5)))),
                        null,
                        null,
                        null,
                        null,
                        null));
        assertThat(faults.list()).isEmpty();
        assertThat(next.pipe().name()).isEqualTo("renamed");
        assertThat(next.pipe().source().text("host")).contains("other");
        Tree.Members settings = next.pipe().source().members("settings").orElseThrow();
        assertThat(settings.number("syncIntervalSeconds")).contains(5.0);
        assertThat(settings.number("pullBatchSize")).contains(100_000.0);
        assertThat(next.secrets().members("credentials").orElseThrow().text("username"))
                .contains("v");
        assertThat(next.pipe().want().generation()).isEqualTo(2);
    }

    @Test
    void aNestedValueThatIsFixedStaysToo() {
        source(GivenPipe.pipe("postgres"), Map.of("settings", Map.of("replicationMode", "snapshot")));
        assertThat(faults.has("source.postgres.settings.replicationMode")).isTrue();
        source(GivenPipe.pipe("kafka"), Map.of("offset", Map.of("strategy", "from_latest")));
        assertThat(faults.has("source.kafka.offset.strategy")).isTrue();
        source(GivenPipe.pipe("postgres"), Map.of("settings", 5));
        assertThat(faults.has("source.postgres.settings")).isTrue();
    }

    @Test
    void anEmptyValueTakesAnOptionalFieldBack() {
        Pipe pipe = GivenPipe.make("objectStorage", with(GivenPipe.STORAGE, "startAfter", "k"))
                .pipe();
        PipeDesign.Designed next = source(pipe, with(Map.of("startAfter", ""), "skipInitialLoad", Trees.of(null)));
        assertThat(next.pipe().source().has("startAfter")).isFalse();
        assertThat(faults.none()).isTrue();
    }

    @Test
    void anotherWayOfAuthenticatingDropsTheOldCredentials() {
        Pipe pipe = GivenPipe.make(
                        "kafka",
                        with(
                                with(GivenPipe.KAFKA, "authentication", "PLAIN"),
                                "credentials",
                                Map.of("username", "u", "password", "p")))
                .pipe();
        source(pipe, Map.of("authentication", "MUTUAL_TLS"));
        assertThat(faults.has("source.kafka.credentials")).isTrue();
    }

    @Test
    void theRegistrysCredentialsStayWhenTheBrokersChange() {
        Pipe pipe = GivenPipe.make("kafka", with(GivenPipe.KAFKA, "schemaRegistry", Map.of("url", "https://r")))
                .pipe();
        Tree.Members registry = Trees.members(Map.of("schemaRegistry", Map.of("credentials", Map.of("username", "u"))));
        PipeDraft change = new PipeDraft(
                null,
                Trees.members(Map.of(
                        "kafka",
                        Map.of("authentication", "PLAIN", "credentials", Map.of("username", "u", "password", "p")))),
                null,
                null,
                null,
                null,
                null);
        PipeDesign.Designed next = new PipeDesign(Given.SEED, faults).change(pipe, registry, change, NOON);
        assertThat(faults.none()).isTrue();
        assertThat(next.secrets().values().keySet()).containsExactlyInAnyOrder("schemaRegistry", "credentials");
    }

    @Test
    void anotherKindOfSourceIsRefused() {
        Pipe pipe = GivenPipe.pipe("kafka");
        change(
                pipe,
                new PipeDraft(
                        "",
                        Trees.members(Map.of("kinesis", GivenPipe.KINESIS, "mysql", Map.of("h", 1), "postgres", "")),
                        null,
                        null,
                        null,
                        null,
                        null));
        assertThat(faults.list()).extracting(Fault::path).contains("source.kinesis", "source.mysql", "name");
        assertThat(faults.has("source.postgres")).isFalse();
    }

    @Test
    void columnsAndMappingsAreCheckedTogether() {
        Pipe pipe = GivenPipe.pipe("kafka");
        Tree.Members narrower = Trees.members(Map.of("columns", List.of(column("id"))));
        change(pipe, new PipeDraft(null, null, narrower, null, null, null, null));
        assertThat(faults.has("fieldMappings[1].destinationField")).isTrue();
        Tree.Members wider = Trees.members(Map.of("columns", List.of(column("id"), column("v"), column("w"))));
        Faults none = new Faults();
        PipeDesign.Designed next = new PipeDesign(Given.SEED, none)
                .change(
                        pipe,
                        Tree.Members.NONE,
                        new PipeDraft(
                                null,
                                null,
                                wider,
                                Trees.items(mapping("id"), mapping("v"), mapping("w")),
                                null,
                                null,
                                null),
                        NOON);
        assertThat(none.none()).isTrue();
        assertThat(next.pipe().fieldMappings().values()).hasSize(3);
        change(pipe, new PipeDraft(null, null, null, MAPPINGS_OF_ONE, null, null, null));
        change(pipe, new PipeDraft(null, null, Trees.members(Map.of("table", "other")), null, null, null, null));
        assertThat(faults.has("destination.table")).isTrue();
        change(
                GivenPipe.pipe("postgres"),
                new PipeDraft(
                        null, null, Trees.members(Map.of("columns", List.of(column("x")))), null, null, null, null));
        assertThat(faults.has("destination.columns")).isTrue();
    }

    private static final Tree.Items MAPPINGS_OF_ONE = Trees.items(mapping("id"));

    @Test
    void settingsAreTakenByAChangeToo() {
        Tree.Members settings = Trees.members(Map.of("streaming_max_insert_wait_ms", 1000));
        PipeDesign.Designed next =
                change(GivenPipe.pipe("kafka"), new PipeDraft(null, null, null, null, settings, null, null));
        assertThat(next.pipe().settings()).isEqualTo(settings);
        assertThat(GivenPipe.make(new PipeDraft(
                                "pipe",
                                Trees.members(Map.of("kafka", GivenPipe.KAFKA)),
                                Trees.members(GivenPipe.DESTINATION),
                                GivenPipe.MAPPINGS,
                                settings,
                                null,
                                null))
                        .pipe()
                        .settings())
                .isEqualTo(settings);
    }

    @Test
    void whatIsReadOnceStaysAsItIs() {
        Pipe pipe = GivenPipe.pipe("bigquery");
        PipeDesign.Designed next = source(pipe, Map.of("snapshotStagingPath", "gs://other/"));
        assertThat(faults.list()).extracting(Fault::path).containsExactly("source.bigquery");
        assertThat(next.pipe().source()).isEqualTo(pipe.source());
        Faults none = new Faults();
        assertThat(changed(pipe, Map.of(), none).pipe().source()).isEqualTo(pipe.source());
        assertThat(none.none()).isTrue();
    }

    private PipeDesign.Designed source(Pipe pipe, Map<String, Object> source) {
        return changed(pipe, source, faults);
    }

    static PipeDesign.Designed changed(Pipe pipe, Map<String, Object> source, Faults faults) {
        PipeDraft change =
                new PipeDraft(null, Trees.members(Map.of(pipe.kind().member(), source)), null, null, null, null, null);
        return new PipeDesign(Given.SEED, faults).change(pipe, secretsOf(pipe), change, NOON);
    }

    private PipeDesign.Designed change(Pipe pipe, PipeDraft change) {
        return new PipeDesign(Given.SEED, faults).change(pipe, secretsOf(pipe), change, NOON);
    }

    private static Tree.Members secretsOf(Pipe pipe) {
        return pipe.source().has("authentication") ? SECRETS : Tree.Members.NONE;
    }
}
