package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Pipes and reverse private endpoints over HTTP: sections 2.5, 2.8, 4.4 and 4.6 of the contract. */
class PipeTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();
    private final JsonNode service = tenant.running();

    private String pipe(JsonNode made) {
        return tenant.pipes(service) + "/" + made.path("id").asString();
    }

    private JsonNode kafka() {
        return tenant.admin().post(tenant.pipes(service), PipeBodies.KAFKA).ok();
    }

    @Test
    void aConnectionStringComesBackWithItsKeyBlanked() {
        JsonNode made =
                tenant.admin().post(tenant.pipes(service), PipeBodies.AZURE).ok();
        String blanked = PipeBodies.AZURE_CONNECTION.formatted("***");
        assertThat(connection(made)).isEqualTo(blanked);
        assertThat(connection(tenant.admin().get(pipe(made)).ok())).isEqualTo(blanked);
        JsonNode same = connect(made, blanked);
        assertThat(connection(same)).isEqualTo(blanked);
        assertThat(same.path("updatedAt"))
                .as("what was shown and is sent back changes nothing")
                .isEqualTo(made.path("updatedAt"));
        String other = PipeBodies.AZURE_CONNECTION.replace("acme", "umbrella");
        JsonNode changed = connect(made, other.formatted("another-key-nobody-shall-see=="));
        assertThat(connection(changed)).isEqualTo(other.formatted("***"));
    }

    private JsonNode connect(JsonNode pipe, String connection) {
        house.settle();
        return tenant.admin()
                .patch(pipe(pipe), "{'source': {'objectStorage': {'connectionString': '" + connection + "'}}}")
                .ok();
    }

    private static String connection(JsonNode pipe) {
        return pipe.path("source")
                .path("objectStorage")
                .path("connectionString")
                .asString();
    }

    @Test
    void aPipeComesBackAsItWasSentButForItsSecrets() throws IOException {
        JsonNode made = kafka();
        assertThat(made.path("serviceId").asString())
                .isEqualTo(service.path("id").asString());
        assertThat(made.path("state").asString()).isEqualTo("Provisioning");
        JsonNode source = made.path("source").path("kafka");
        assertThat(source.path("brokers").asString()).isEqualTo("b:9092");
        assertThat(source.path("consumerGroup").asString())
                .isEqualTo("clickpipes-" + made.path("id").asString());
        assertThat(source.has("credentials")).isFalse();
        assertThat(made.path("destination").path("columns")).hasSize(1);
        assertThat(made.path("fieldMappings").get(0).path("sourceField").asString())
                .isEqualTo("id");
        assertThat(made.path("settings")).isEmpty();
        assertThat(source.has("exactlyOnce")).isFalse();
        assertThat(tenant.admin().get(tenant.pipes(service)).ok()).hasSize(1);
        try (Stream<Path> files = Files.walk(house.folder())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as("what %s holds", file.getFileName())
                        .doesNotContain("a-kafka-password-nobody-shall-see");
            }
        }
    }

    @Test
    void aPipeRunsStopsStartsAndIsDeleted() {
        JsonNode made = kafka();
        house.settle();
        assertThat(state(made)).isEqualTo("Running");
        tenant.admin().patch(pipe(made) + "/state", "{'command': 'start'}").refused(400, "BAD_REQUEST");
        tenant.admin().patch(pipe(made) + "/state", "{'command': 'stop'}").ok();
        house.settle();
        assertThat(state(made)).isEqualTo("Stopped");
        tenant.admin().patch(pipe(made) + "/state", "{'command': 'start'}").ok();
        house.settle();
        assertThat(state(made)).isEqualTo("Running");
        tenant.admin().patch(pipe(made) + "/state", "{'command': 'resync'}").refused(400, "BAD_REQUEST");
        tenant.admin().patch(pipe(made) + "/state", "{'command': 'pause'}").refused(400, "BAD_REQUEST");
        tenant.admin().delete(pipe(made)).ok();
        tenant.admin().get(pipe(made)).refused(404, "NOT_FOUND");
        tenant.admin().delete(pipe(made)).refused(404, "NOT_FOUND");
    }

    @ParameterizedTest
    @CsvSource({
        "replicas, 1, 10, 0, 11",
        "concurrency, 0, 34, -1, 35",
        "replicaCpuMillicores, 125, 2000, 124, 2001",
        "replicaMemoryGb, 0.5, 8, 0.49, 8.01"
    })
    void scalingHasTheContractsRanges(String field, String min, String max, String below, String above) {
        JsonNode made = kafka();
        for (String good : List.of(min, max)) {
            JsonNode scaled = scale(made, "{'" + field + "': " + good + "}").path("scaling");
            assertThat(scaled.path(field).asDouble()).isEqualTo(Double.parseDouble(good));
        }
        for (String bad : List.of(below, above, "'1'", "true", "[1]")) {
            tenant.admin()
                    .patch(pipe(made) + "/scaling", "{'" + field + "': " + bad + "}")
                    .refused(400, "BAD_REQUEST");
        }
    }

    @Test
    void scalingLeavesWhatIsNullOrAbsentAndReportsFaultsTogether() {
        JsonNode made = kafka();
        scale(made, "{'replicas': 3, 'concurrency': 4, 'replicaCpuMillicores': 500, 'replicaMemoryGb': 1.5}");
        JsonNode same = scale(made, "{'replicas': null, 'unknown': 1}").path("scaling");
        assertThat(same.path("replicas").asInt()).isEqualTo(3);
        assertThat(same.path("replicaMemoryGb").asDouble()).isEqualTo(1.5);
        assertThat(scale(made, "{}").path("scaling")).isEqualTo(same);
        tenant.admin().patch(pipe(made) + "/scaling", "{'replicas': 1.5}").refused(400, "BAD_REQUEST");
        tenant.admin()
                .patch(pipe(made) + "/scaling", "{'replicas': 11, 'replicaMemoryGb': 9, 'concurrency': 1}")
                .faultsAt("replicas", "replicaMemoryGb");
        assertThat(tenant.admin()
                        .get(pipe(made))
                        .ok()
                        .path("scaling")
                        .path("concurrency")
                        .asInt())
                .isEqualTo(4);
    }

    @Test
    void aChangeIsWholeOrNotAtAll() {
        JsonNode made = kafka();
        tenant.admin()
                .patch(pipe(made), "{'name': 'Other', 'source': {'kafka': {'brokers': 'elsewhere:9092'}}}")
                .refused(400, "BAD_REQUEST");
        assertThat(tenant.admin().get(pipe(made)).ok().path("name").asString()).isEqualTo("Events");
        JsonNode changed = tenant.admin()
                .patch(pipe(made), "{'name': 'Other', 'settings': {'streaming_max_insert_wait_ms': 700}}")
                .ok();
        assertThat(changed.path("name").asString()).isEqualTo("Other");
        assertThat(changed.path("settings").path("streaming_max_insert_wait_ms").asInt())
                .isEqualTo(700);
    }

    @Test
    void settingsAreMergedInTheSpellingThatWasSent() {
        JsonNode made = kafka();
        JsonNode put =
                put(made, "{'clickhouse_parallel_view_processing': true}").ok();
        assertThat(put.path("clickhouse_parallel_view_processing").asBoolean()).isTrue();
        assertThat(put).hasSize(1);
        put(made, "{'object_storage_concurrency': 2}").refused(400, "BAD_REQUEST");
        put(made, "{'unknown': 2}").refused(400, "BAD_REQUEST");
        assertThat(tenant.admin().get(pipe(made) + "/settings").ok()).isEqualTo(put);
        assertThat(put(made, "{}").ok()).isEmpty();
        assertThat(tenant.admin().get(pipe(made) + "/settings").ok()).isEmpty();
    }

    @Test
    void databasePipesShareTheirSizeAndHaveNoSettings() {
        String shared = tenant.service(service) + "/clickpipesCdcScaling";
        tenant.admin().get(shared).refused(404, "NOT_FOUND");
        JsonNode made =
                tenant.admin().post(tenant.pipes(service), PipeBodies.POSTGRES).ok();
        assertThat(tenant.admin().get(shared).ok().path("replicaMemoryGb").asInt())
                .isEqualTo(8);
        tenant.admin().patch(shared, "{'replicaCpuMillicores': 4000}").refused(400, "BAD_REQUEST");
        JsonNode larger = tenant.admin()
                .patch(shared, "{'replicaCpuMillicores': 4000, 'replicaMemoryGb': 16}")
                .ok();
        assertThat(larger.path("replicaCpuMillicores").asInt()).isEqualTo(4000);
        tenant.admin().get(pipe(made) + "/settings").refused(404, "NOT_FOUND");
        house.settle();
        tenant.admin().patch(pipe(made) + "/state", "{'command': 'resync'}").ok();
    }

    @Test
    void aPipeNeedsAServiceThatRuns() {
        JsonNode made = kafka();
        tenant.command(service, "stop").ok();
        ApiAnswer refused =
                tenant.admin().post(tenant.pipes(service), PipeBodies.KAFKA).refused(424, "FAILED_DEPENDENCY");
        assertThat(refused.json().path("error").asString()).contains("Current state: stopping");
        house.settle();
        refused =
                tenant.admin().patch(pipe(made) + "/scaling", "{'replicas': 2}").refused(424, "FAILED_DEPENDENCY");
        assertThat(refused.json().path("error").asString()).contains("Current state: stopped");
        tenant.admin().get(pipe(made)).ok();
    }

    @Test
    void aPipeIsMadeAndChangedWhileItsServiceStarts() {
        tenant.command(service, "stop").ok();
        house.settle();
        assertThat(tenant.command(service, "start").ok().path("state").asString())
                .isEqualTo("starting");
        JsonNode made = kafka();
        tenant.admin().patch(pipe(made) + "/scaling", "{'replicas': 2}").ok();
        house.settle();
        assertThat(tenant.admin().get(pipe(made)).ok().path("state").asString()).isEqualTo("Running");
    }

    @Test
    void aFaultOfTheRequestIsReportedBeforeOneOfTheServiceOrThePipe() {
        JsonNode made = kafka();
        JsonNode database =
                tenant.admin().post(tenant.pipes(service), PipeBodies.POSTGRES).ok();
        house.settle();
        tenant.command(service, "stop").ok();
        house.settle();
        String missing = tenant.pipes(service) + "/00000000-0000-4000-8000-000000000000";
        for (String path : List.of(pipe(made), missing)) {
            tenant.admin().patch(path, "{'name': ''}").faultsAt("name");
            tenant.admin().patch(path, "{'settings': {'db_max_threads': 65}}").faultsAt("settings.db_max_threads");
            tenant.admin()
                    .patch(path, "{'source': {'kafka': {'authentication': 'NONE'}}}")
                    .faultsAt("source.kafka.authentication");
            tenant.admin()
                    .send("PUT", path + "/settings", ApiJson.text("{'db_max_threads': 65}"))
                    .faultsAt("db_max_threads");
        }
        put(database, "{'db_max_threads': 65}").faultsAt("db_max_threads");
        put(database, "{'db_max_threads': 1}").refused(424, "FAILED_DEPENDENCY");
        tenant.admin()
                .patch(tenant.service(service) + "/clickpipesCdcScaling", "{'replicaMemoryGb': 5}")
                .faultsAt("replicaMemoryGb");
        tenant.admin().patch(pipe(made), "{'name': 'x'}").refused(424, "FAILED_DEPENDENCY");
        tenant.admin().patch(missing, "{'name': 'x'}").refused(404, "NOT_FOUND");
    }

    @Test
    void aRouteBecomesReadyIsUsedAndCannotGoMeanwhile() {
        JsonNode route =
                tenant.admin().post(tenant.routes(service), PipeBodies.ROUTE).ok();
        String at = tenant.routes(service) + "/" + route.path("id").asString();
        assertThat(route.path("status").asString()).isEqualTo("Provisioning");
        String body = PipeBodies.KAFKA.replace(
                "'topics'", "'reversePrivateEndpointIds': ['" + route.path("id").asString() + "'], 'topics'");
        tenant.admin().post(tenant.pipes(service), body).refused(400, "BAD_REQUEST");
        house.settle();
        assertThat(tenant.admin().get(at).ok().path("status").asString()).isEqualTo("Ready");
        assertThat(tenant.admin().get(tenant.routes(service)).ok()).hasSize(1);
        JsonNode pipe = tenant.admin().post(tenant.pipes(service), body).ok();
        tenant.admin().delete(at).refused(409, "CONFLICT");
        tenant.admin().delete(pipe(pipe)).ok();
        tenant.admin().delete(at).ok();
        house.settle();
        tenant.admin().get(at).refused(404, "NOT_FOUND");
    }

    @Test
    void aRouteIsInUseHoweverItsIdWasSpelled() {
        String id = tenant.admin()
                .post(tenant.routes(service), PipeBodies.ROUTE)
                .ok()
                .path("id")
                .asString();
        house.settle();
        tenant.admin()
                .post(
                        tenant.pipes(service),
                        PipeBodies.KAFKA.replace(
                                "'topics'",
                                "'reversePrivateEndpointIds': ['" + id.toUpperCase(Locale.ROOT) + "'], 'topics'"))
                .ok();
        tenant.admin().delete(tenant.routes(service) + "/" + id).refused(409, "CONFLICT");
    }

    @Test
    void aServiceTakesItsPipesAndRoutesAlong() {
        JsonNode pipe = kafka();
        tenant.admin().post(tenant.routes(service), PipeBodies.ROUTE).ok();
        tenant.command(service, "stop").ok();
        house.settle();
        tenant.delete(service).ok();
        house.settle();
        tenant.admin().get(pipe(pipe)).refused(404, "NOT_FOUND");
        tenant.admin().get(tenant.service(service)).refused(404, "NOT_FOUND");
    }

    private String state(JsonNode made) {
        return tenant.admin().get(pipe(made)).ok().path("state").asString();
    }

    private ApiAnswer put(JsonNode made, String settings) {
        return tenant.admin().send("PUT", pipe(made) + "/settings", ApiJson.text(settings));
    }

    private JsonNode scale(JsonNode made, String body) {
        return tenant.admin().patch(pipe(made) + "/scaling", body).ok();
    }
}
