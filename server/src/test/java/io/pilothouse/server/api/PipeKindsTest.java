package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Pipes from each kind of source over HTTP: made, read, changed, stopped and deleted in the shapes of the live service. */
class PipeKindsTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();
    private final JsonNode service = tenant.running();

    private JsonNode make(String body) {
        return tenant.admin().post(tenant.pipes(service), body).ok();
    }

    private String at(JsonNode made) {
        return tenant.pipes(service) + "/" + made.path("id").asString();
    }

    private JsonNode get(JsonNode made) {
        return tenant.admin().get(at(made)).ok();
    }

    private String state(JsonNode made) {
        return get(made).path("state").asString();
    }

    private ApiAnswer change(JsonNode made, String kind, String change) {
        return tenant.admin().patch(at(made), "{'source': {'" + kind + "': " + change + "}}");
    }

    @Test
    void everyKindIsMadeShownAndDeletedWithoutItsSecrets() throws IOException {
        Map<String, String> secrets = Map.of(
                "mysql", "credentials",
                "mongodb", "credentials",
                "bigquery", "credentials",
                "pubsub", "serviceAccountKey");
        Map<String, String> bodies = Map.of(
                "mysql", PipeBodies.MYSQL,
                "mongodb", PipeBodies.MONGODB,
                "bigquery", PipeBodies.BIGQUERY,
                "pubsub", PipeBodies.PUBSUB);
        bodies.forEach((kind, body) -> {
            JsonNode made = make(body);
            JsonNode source = made.path("source");
            assertThat(source.propertyNames()).containsExactly(kind);
            assertThat(source.path(kind).has(secrets.get(kind))).isFalse();
            house.settle();
            assertThat(state(made)).isEqualTo(kind.equals("bigquery") ? "Completed" : "Running");
            assertThat(get(made).path("source")).isEqualTo(source);
            tenant.admin().delete(at(made)).ok();
            house.settle();
            tenant.admin().get(at(made)).refused(404, "NOT_FOUND");
        });
        try (Stream<Path> files = Files.walk(house.folder())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as("what %s holds", file.getFileName())
                        .doesNotContain("nobody-shall-see");
            }
        }
    }

    @Test
    void whatMayChangeOfEachKindChanges() {
        JsonNode mysql = make(PipeBodies.MYSQL);
        assertThat(change(mysql, "mysql", "{'host': 'other', 'serverId': 7, 'settings': {'useCompression': true}}")
                        .ok()
                        .at("/source/mysql/settings/useCompression")
                        .asBoolean())
                .isTrue();
        change(mysql, "mysql", "{'settings': {'replicationMechanism': 'FILE_POS'}}")
                .faultsAt("source.mysql.settings.replicationMechanism");
        JsonNode mongodb = make(PipeBodies.MONGODB);
        assertThat(change(mongodb, "mongodb", "{'uri': 'mongodb://other', 'readPreference': 'nearest'}")
                        .ok()
                        .at("/source/mongodb/uri")
                        .asString())
                .isEqualTo("mongodb://other");
        JsonNode pubsub = make(PipeBodies.PUBSUB);
        assertThat(change(pubsub, "pubsub", "{'ackDeadline': 20}")
                        .ok()
                        .at("/source/pubsub/ackDeadline")
                        .asInt())
                .isEqualTo(20);
        change(pubsub, "pubsub", "{'topic': 'other'}").faultsAt("source.pubsub.topic");
        JsonNode bigquery = make(PipeBodies.BIGQUERY);
        change(bigquery, "bigquery", "{'snapshotStagingPath': 'gs://other/'}").faultsAt("source.bigquery");
        assertThat(tenant.admin()
                        .patch(at(bigquery), "{'name': 'Old orders'}")
                        .ok()
                        .path("name")
                        .asString())
                .isEqualTo("Old orders");
    }

    @Test
    void aDatabasesTablesChangeWhileItIsPaused() {
        JsonNode made = make(PipeBodies.MONGODB);
        house.settle();
        String tables = """
                {'tableMappingsToAdd': [{'sourceDatabaseName': 'shop', 'sourceCollection': 'c', 'targetTable': 'c'}],
                 'tableMappingsToRemove': [{'sourceDatabaseName': 'shop', 'sourceCollection': 'carts'}]}""";
        assertThat(change(made, "mongodb", tables).refused(400, "BAD_REQUEST").text())
                .contains("must be paused to edit");
        tenant.admin().patch(at(made) + "/state", "{'command': 'stop'}").ok();
        house.settle();
        assertThat(state(made)).isEqualTo("Paused");
        JsonNode next = change(made, "mongodb", tables).ok();
        assertThat(next.at("/source/mongodb/tableMappings")).hasSize(1);
        house.settle();
        assertThat(state(made)).isEqualTo("Running");
        tenant.admin().patch(at(made) + "/state", "{'command': 'resync'}").refused(400, "BAD_REQUEST");
    }

    @Test
    void oneTableOfADatabaseIsReadAgainByItsTarget() {
        JsonNode made = make(PipeBodies.POSTGRES);
        house.settle();
        String state = at(made) + "/state";
        tenant.admin()
                .patch(state, "{'command': 'resync', 'targetTable': 'orders'}")
                .ok();
        house.settle();
        assertThat(state(made)).isEqualTo("Running");
        tenant.admin()
                .patch(state, "{'command': 'resync', 'targetTable': 'users'}")
                .faultsAt("targetTable");
        tenant.admin().patch(state, "{'command': 'resync', 'targetTable': ''}").faultsAt("targetTable");
        tenant.admin()
                .patch(state, "{'command': 'stop', 'targetTable': 'orders'}")
                .faultsAt("targetTable");
        tenant.admin().patch(state, "{'targetTable': 'orders'}").faultsAt("command", "targetTable");
        JsonNode stream = make(PipeBodies.PUBSUB);
        tenant.admin()
                .patch(at(stream) + "/state", "{'command': 'resync', 'targetTable': 'orders'}")
                .refused(400, "BAD_REQUEST");
    }

    @Test
    void everyDatabaseSharesTheSizeOfItsServiceAndHasNoSettings() {
        JsonNode made = make(PipeBodies.MYSQL);
        tenant.admin().get(tenant.service(service) + "/clickpipesCdcScaling").ok();
        tenant.admin().get(at(made) + "/settings").refused(404, "NOT_FOUND");
        house.settle();
        tenant.admin().patch(at(made) + "/state", "{'command': 'resync'}").ok();
    }

    @Test
    void aSourceOfNoKnownKindIsRefused() {
        tenant.admin()
                .post(
                        tenant.pipes(service),
                        "{'name': 'x', 'source': {'oracle': {'host': 'h'}}, %s}".formatted(PipeBodies.DESTINATION))
                .faultsAt("source");
    }

    @Test
    void aMomentIsShownAsItWasSent() {
        for (String moment : List.of("'2024-01-01T00:00'", "1704067200")) {
            JsonNode made = make(PipeBodies.KINESIS.formatted(moment));
            assertThat(get(made).at("/source/kinesis/timestamp"))
                    .isEqualTo(ApiJson.read("[" + moment + "]").get(0));
        }
        tenant.admin()
                .post(tenant.pipes(service), PipeBodies.KINESIS.formatted("'yesterday'"))
                .faultsAt("source.kinesis.timestamp");
    }

    @Test
    void aPipeMayWaitForItsFirstStart() {
        JsonNode made = make(PipeBodies.KAFKA.replace("{'name'", "{'startPaused': true, 'name'"));
        assertThat(made.path("state").asString()).isEqualTo("Stopped");
        house.settle();
        assertThat(state(made)).isEqualTo("Stopped");
        tenant.admin().patch(at(made) + "/state", "{'command': 'start'}").ok();
        house.settle();
        assertThat(state(made)).isEqualTo("Running");
        tenant.admin()
                .post(tenant.pipes(service), PipeBodies.MYSQL.replace("{'name'", "{'startPaused': true, 'name'"))
                .faultsAt("startPaused");
    }

    @Test
    void committedRecordsAreASettingOfKafkaAlone() {
        JsonNode kafka = make(PipeBodies.KAFKA);
        JsonNode put = put(kafka, "{'kafka_read_committed': true}").ok();
        assertThat(put.path("kafka_read_committed").asBoolean()).isTrue();
        assertThat(get(kafka).path("settings")).isEqualTo(put);
        put(make(PipeBodies.PUBSUB), "{'kafka_read_committed': true}").faultsAt("kafka_read_committed");
    }

    private ApiAnswer put(JsonNode made, String settings) {
        return tenant.admin().send("PUT", at(made) + "/settings", ApiJson.text(settings));
    }

    @Test
    void aClusterOfMskIsReachedByTheNamesOfItsBrokers() {
        JsonNode route = tenant.admin().post(tenant.routes(service), """
                {'description': 'MSK', 'type': 'MSK_MULTI_VPC', 'mskAuthentication': 'SASL_IAM',
                 'mskClusterArn': 'arn:aws:kafka:us-east-1:123456789012:cluster/demo/1'}""").ok();
        assertThat(route.path("privateDnsNames")).isEmpty();
        house.settle();
        JsonNode ready = tenant.admin()
                .get(tenant.routes(service) + "/" + route.path("id").asString())
                .ok();
        assertThat(ready.path("privateDnsNames")).hasSize(3);
    }

    @Test
    void theFieldsOfAStreamAreDiscoveredWhereItCanBeRead() {
        String discovery = tenant.pipes(service) + "/schemaDiscovery";
        String kafka = "{'source': {'kafka': {'brokers': '%s:9092', 'topics': 'events'}}}";
        JsonNode found = tenant.admin().post(discovery, kafka.formatted("b")).ok();
        ApiJson.assertSame(
                found,
                "{'fields': [{'name': 'user_id', 'type': 'Int64', 'optional': false}], 'meta': {'records': '1'}}");
        assertThat(tenant.admin()
                        .post(discovery, kafka.formatted("nowhere"))
                        .refused(424, "FAILED_DEPENDENCY")
                        .text())
                .contains("Kafka (nowhere:9092)", "Services are simulated here");
        assertThat(tenant.admin()
                        .post(
                                discovery,
                                "{'source': {'objectStorage': {'url': 'https://ada:hidden@nowhere/a.json?signature=hidden'}}}")
                        .refused(424, "FAILED_DEPENDENCY")
                        .text())
                .contains("object storage (https://nowhere/a.json)")
                .doesNotContain("hidden");
        assertThat(tenant.admin()
                        .post(discovery, "{'source': " + PipeBodies.AZURE_SOURCE.replace("landing", "nowhere") + "}")
                        .refused(424, "FAILED_DEPENDENCY")
                        .text())
                .contains("object storage (nowhere)");
        tenant.admin().post(discovery, "{}").faultsAt("source");
        tenant.admin()
                .post(discovery, "{'source': {'kafka': {'brokers': 'b:9092'}}}")
                .faultsAt("source.kafka.topics");
        tenant.admin().post(discovery, PipeBodies.POSTGRES).faultsAt("source.postgres");
        tenant.command(service, "stop").ok();
        tenant.admin().post(discovery, kafka.formatted("b")).refused(424, "FAILED_DEPENDENCY");
    }

    @Test
    void whatStandsBesideThePipesIsNoPipe() {
        for (String name : List.of("schemaDiscovery", "context")) {
            ApiAnswer answer = tenant.admin().get(tenant.pipes(service) + "/" + name);
            assertThat(answer.status()).isIn(404, 405);
        }
    }

    @Test
    void thereIsNoPipeWhoseSamplesDoNotPass() {
        String sampled = PipeBodies.KAFKA.replace("'source': {", "'source': {'validateSamples': true, ");
        String nowhere = sampled.replace("b:9092", "nowhere:9092");
        assertThat(tenant.admin()
                        .post(tenant.pipes(service), nowhere)
                        .refused(400, "BAD_REQUEST")
                        .text())
                .contains("source.validateSamples", "Kafka (nowhere:9092)", "Services are simulated here");
        assertThat(tenant.admin().get(tenant.pipes(service)).ok()).isEmpty();
        assertThat(make(sampled).path("source").has("validateSamples")).isFalse();
        tenant.admin()
                .post(tenant.pipes(service), sampled.replace("'validateSamples': true", "'validateSamples': 'yes'"))
                .faultsAt("source.validateSamples");
    }

    @Test
    void aChangeIsSampledWhereThatIsAskedFor() {
        String pipe = tenant.pipes(service) + "/"
                + make(PipeBodies.KAFKA.replace("b:9092", "nowhere:9092"))
                        .path("id")
                        .asString();
        tenant.admin()
                .patch(pipe, "{'name': 'Other', 'source': {'validateSamples': true}}")
                .faultsAt("source.validateSamples");
        assertThat(tenant.admin().get(pipe).ok().path("name").asString()).isEqualTo("Events");
        tenant.admin()
                .patch(pipe, "{'name': 'Other', 'source': {'validateSamples': false}}")
                .ok();
        String other =
                tenant.pipes(service) + "/" + make(PipeBodies.KAFKA).path("id").asString();
        tenant.admin()
                .patch(other, "{'name': 'Third', 'source': {'validateSamples': true}}")
                .ok();
    }

    @Test
    void tablesOfADatabaseAreNotSampled() {
        make(PipeBodies.MYSQL.replace("'source': {", "'source': {'validateSamples': true, "));
    }
}
