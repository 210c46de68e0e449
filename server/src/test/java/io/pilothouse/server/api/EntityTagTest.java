package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Reading only what changed, and writing only over what was read. */
class EntityTagTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();
    private final JsonNode service = settled();

    private JsonNode settled() {
        JsonNode made = tenant.made("{}");
        house.settle();
        return made;
    }

    /** Everything that can be read by itself. */
    enum Thing {
        ORGANIZATION,
        SERVICE,
        KEY,
        ACTIVITY
    }

    private String path(Thing thing) {
        return switch (thing) {
            case ORGANIZATION -> tenant.path();
            case SERVICE -> tenant.service(service);
            case KEY ->
                tenant.keys() + "/"
                        + tenant.newKey("developer").path("key").path("id").asString();
            case ACTIVITY -> {
                JsonNode newest =
                        tenant.admin().get(tenant.path() + "/activities").ok().get(0);
                yield tenant.path() + "/activities/" + newest.path("id").asString();
            }
        };
    }

    private ApiCaller unless(String tag) {
        return tenant.admin().with("If-None-Match", tag);
    }

    private ApiCaller onlyIf(String tag) {
        return tenant.admin().with("If-Match", tag);
    }

    @ParameterizedTest
    @EnumSource
    void aClientWithTheNewestVersionGetsNoBody(Thing thing) {
        String path = path(thing);
        String tag = tenant.admin().get(path).need("etag");
        assertThat(tag).matches("\"[^\"]+\"");
        for (String known : List.of(tag, "W/" + tag, "*", "\"other\", " + tag)) {
            ApiAnswer answer = unless(known).get(path);
            assertThat(answer.status()).as("with %s", known).isEqualTo(304);
            assertThat(answer.text()).isEmpty();
            assertThat(answer.need("etag")).isEqualTo(tag);
        }
        unless("\"other\"").get(path).ok();
        unless("\"other\", W/\"another\"").get(path).ok();
    }

    /** Figures of this moment: what they are the state of is gone when they are read. */
    private static final Set<String> CHANGING = Set.of(
            "organizationPrometheusGet",
            "organizationPrometheusDiscoveryGet",
            "instancePrometheusGet",
            "instanceTimelineGet",
            "clickPipeOffsetsGet",
            "clickPipeErrorsReplayGet",
            "usageCostGet");

    @Test
    void everyThingThatIsReadByItselfHasATag() {
        MatrixExamples examples = new MatrixExamples();
        List<String> withTag = new ArrayList<>();
        for (AnyRoute entrance : house.entrances()) {
            if (!(entrance instanceof Route route)
                    || route.verb() != Verb.GET
                    || route.operationId().endsWith("List")
                    || CHANGING.contains(route.operationId())) {
                continue;
            }
            String path = route.path().replace("{organizationId}", tenant.id());
            for (Map.Entry<String, String> need : examples.needs(route, tenant).entrySet()) {
                path = path.replace("{" + need.getKey() + "}", need.getValue());
            }
            String tag = tenant.admin().get(path).need("etag");
            assertThat(unless(tag).get(path).status()).as(route.operationId()).isEqualTo(304);
            withTag.add(route.operationId());
        }
        assertThat(withTag).contains("clickPipeSettingsGet", "backupConfigurationGet");
    }

    @Test
    void settingsOfAPipeAreWrittenOverThoseThatWereRead() {
        JsonNode running = tenant.running();
        JsonNode pipe =
                tenant.admin().post(tenant.pipes(running), PipeBodies.KAFKA).ok();
        String path = tenant.pipes(running) + "/" + pipe.path("id").asString() + "/settings";
        String read = tenant.admin().get(path).need("etag");
        ApiAnswer written = onlyIf(read).put(path, "{'streaming_max_insert_wait_ms': 1000}");
        assertThat(written.need("etag"))
                .isNotEqualTo(read)
                .isEqualTo(tenant.admin().get(path).need("etag"));
        onlyIf(read).put(path, "{'streaming_max_insert_wait_ms': 2000}").refused(412, "PRECONDITION_FAILED");
        onlyIf(read).put(path, "{'streaming_max_insert_wait_ms': 1}").faultsAt("streaming_max_insert_wait_ms");
    }

    @ParameterizedTest
    @EnumSource(names = {"ORGANIZATION", "SERVICE", "KEY"})
    void aWriteAppliesToTheVersionThatWasReadOnly(Thing thing) {
        String path = path(thing);
        String read = tenant.admin().get(path).need("etag");
        ApiAnswer written = onlyIf(read).patch(path, "{'name': 'First'}");
        written.ok();
        assertThat(written.need("etag")).isNotEqualTo(read);
        assertThat(tenant.admin().get(path).need("etag")).isEqualTo(written.need("etag"));
        onlyIf(read).patch(path, "{'name': 'Second'}").refused(412, "PRECONDITION_FAILED");
        onlyIf(read).patch(path, "{}").refused(412, "PRECONDITION_FAILED");
        assertThat(tenant.admin().get(path).ok().path("name").asString()).isEqualTo("First");
        onlyIf(read + ", " + written.need("etag"))
                .patch(path, "{'name': 'Third'}")
                .ok();
        onlyIf("*").patch(path, "{'name': 'Fourth'}").ok();
        assertThat(unless(read).get(path).status()).isEqualTo(200);
    }

    @Test
    void aDeletionAppliesToTheVersionThatWasReadOnly() {
        String key = path(Thing.KEY);
        String old = tenant.admin().get(key).need("etag");
        tenant.admin().patch(key, "{'name': 'New'}").ok();
        onlyIf(old).delete(key).refused(412, "PRECONDITION_FAILED");
        onlyIf(tenant.admin().get(key).need("etag")).delete(key).ok();
        tenant.command(service, "stop").ok();
        house.settle();
        String stopped = tenant.admin().get(tenant.service(service)).need("etag");
        tenant.update(service, "{'name': 'New'}").ok();
        onlyIf(stopped).delete(tenant.service(service)).refused(412, "PRECONDITION_FAILED");
        onlyIf(tenant.admin().get(tenant.service(service)).need("etag"))
                .delete(tenant.service(service))
                .ok();
    }

    @Test
    void aCommandAppliesToTheVersionThatWasReadOnly() {
        String state = tenant.service(service) + "/state";
        String read = tenant.admin().get(tenant.service(service)).need("etag");
        onlyIf("\"other\"").patch(state, "{'command': 'stop'}").refused(412, "PRECONDITION_FAILED");
        onlyIf(read).patch(state, "{'command': 'stop'}").ok();
        onlyIf(read).patch(state, "{'command': 'start'}").refused(412, "PRECONDITION_FAILED");
    }

    @Test
    void aWeakTagIsNoPrecondition() {
        String tag = tenant.admin().get(tenant.path()).need("etag");
        onlyIf("W/" + tag).patch(tenant.path(), "{'name': 'New'}").refused(412, "PRECONDITION_FAILED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tag", "\"open", "'single'", "\"a\" \"b\"", "W/", ",", "*\"x\""})
    void aConditionThatIsNotUnderstoodIsRefused(String tag) {
        onlyIf(tag).patch(tenant.path(), "{'name': 'New'}").faultsAt("If-Match");
        unless(tag).get(tenant.path()).ok();
    }

    @Test
    void theEndpointsOnOfferAreInTheTagOfAService() {
        String before = tenant.admin().get(tenant.service(service)).need("etag");
        tenant.admin()
                .patch(tenant.path(), "{'privateEndpoints': {'add': [{'id': 'vpce-1'}]}}")
                .ok();
        ApiAnswer after = unless(before).get(tenant.service(service));
        assertThat(after.ok().path("availablePrivateEndpointIds")).hasSize(1);
        assertThat(after.need("etag")).isNotEqualTo(before);
    }

    @Test
    void notesOfTheEngineAreNotInTheTagOfAService() {
        JsonNode starting = tenant.made("{}");
        String read = tenant.admin().get(tenant.service(starting)).need("etag");
        // The engine has looked, and its look has changed the row, but not what is shown.
        house.turn();
        assertThat(tenant.get(starting).path("state").asString()).isEqualTo("provisioning");
        assertThat(unless(read).get(tenant.service(starting)).status()).isEqualTo(304);
        onlyIf(read).patch(tenant.service(starting), "{'name': 'Not lost'}").ok();
    }

    @Test
    void aMissingThingIsReportedBeforeAFailedCondition() {
        String nowhere = tenant.service("00000000-0000-4000-8000-000000000000");
        onlyIf("\"x\"").patch(nowhere, "{}").refused(404, "NOT_FOUND");
        onlyIf("*").delete(nowhere).refused(404, "NOT_FOUND");
        onlyIf("\"x\"").patch(tenant.service(service), "{'name': ''}").faultsAt("name");
    }

    @Test
    void ofManyWhoReadTheSameOneWins() throws InterruptedException, ExecutionException {
        String tag = tenant.admin().get(tenant.path()).need("etag");
        ApiCaller crowd = onlyIf(tag).inACrowd();
        List<Future<ApiAnswer>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 32; i++) {
                String body = "{'name': 'Writer " + i + "'}";
                answers.add(threads.submit(() -> crowd.patch(tenant.path(), body)));
            }
        }
        int won = 0;
        for (Future<ApiAnswer> answer : answers) {
            if (answer.get().status() == 200) {
                won++;
            } else {
                answer.get().refused(412, "PRECONDITION_FAILED");
            }
        }
        assertThat(won).isEqualTo(1);
    }

    @Test
    void writesWithoutAConditionAllGoThrough() throws InterruptedException, ExecutionException {
        ApiCaller crowd = tenant.admin().inACrowd();
        List<Future<ApiAnswer>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 32; i++) {
                String body = "{'ipAccessList': {'add': [{'source': '192.0.2." + i + "'}]}}";
                answers.add(threads.submit(() -> crowd.patch(tenant.service(service), body)));
            }
        }
        for (Future<ApiAnswer> answer : answers) {
            answer.get().ok();
        }
        assertThat(tenant.get(service).path("ipAccessList")).hasSize(32);
    }
}
