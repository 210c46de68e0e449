package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.secret.SecretText;
import io.pilothouse.core.service.Service;
import io.pilothouse.testkit.FakePlane.Deed;
import io.pilothouse.testkit.api.ApiAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The size of a service, its password and its private side, each under a path of its own. */
class ServicePartsTest {
    @RegisterExtension
    static final House house = House.onFakePlane();

    private final Tenant tenant = house.tenant();
    private final Map<String, Service> started = new ConcurrentHashMap<>();

    private ApiAnswer scale(JsonNode service, String body) {
        return tenant.admin().patch(tenant.service(service) + "/replicaScaling", body);
    }

    private ApiAnswer changePassword(JsonNode service, String body) {
        return tenant.admin().patch(tenant.service(service) + "/password", body);
    }

    private List<String> activities(JsonNode service) {
        return StreamSupport.stream(
                        tenant.admin().get(tenant.path() + "/activities").ok().spliterator(), false)
                .filter(line -> line.path("serviceId")
                        .asString("")
                        .equals(service.path("id").asString()))
                .map(line -> line.path("type").asString())
                .toList();
    }

    @BeforeEach
    void watch() {
        house.plane.trap((deed, service, done) -> {
            if (deed == Deed.START && done) {
                started.put(service.id().toString(), service);
            }
        });
    }

    @AfterEach
    void unwatch() {
        house.plane.trap((deed, service, done) -> {});
    }

    /** How the plane was last asked to run it. */
    private Service started(JsonNode service) {
        house.settle();
        return Objects.requireNonNull(started.get(service.path("id").asString()));
    }

    @Test
    void anotherSizeIsShownAtOnceAndMadeSo() {
        JsonNode service = tenant.running();
        JsonNode scaled = scale(
                        service,
                        "{'minReplicaMemoryGb': 16.0, 'maxReplicaMemoryGb': 32, 'numReplicas': 4, 'idleScaling': false,"
                                + " 'idleTimeoutMinutes': 30}")
                .ok();
        assertThat(scaled.path("minReplicaMemoryGb").asInt()).isEqualTo(16);
        assertThat(scaled.path("maxTotalMemoryGb").asInt()).isEqualTo(96);
        assertThat(scaled.path("numReplicas").asInt()).isEqualTo(4);
        assertThat(scaled.path("idleScaling").asBoolean()).isFalse();
        assertThat(scaled.path("idleTimeoutMinutes").asInt()).isEqualTo(30);
        assertThat(tenant.get(service).path("numReplicas").asInt()).isEqualTo(4);
        assertThat(started(service).scaling()).isEqualTo(new Scaling(16, 32, 4, null, false, 30));
        assertThat(activities(service))
                .contains(
                        "service_update_autoscaling_memory",
                        "service_update_autoscaling_replicas",
                        "service_update_autoscaling_idling");
    }

    @Test
    void theOlderWayToScaleSpeaksInTotals() {
        JsonNode service = tenant.made("{}");
        JsonNode scaled = tenant.admin()
                .patch(tenant.service(service) + "/scaling", "{'minTotalMemoryGb': 48, 'maxTotalMemoryGb': 96}")
                .ok();
        assertThat(scaled.path("minReplicaMemoryGb").asInt()).isEqualTo(16);
        assertThat(scaled.path("maxReplicaMemoryGb").asInt()).isEqualTo(32);
        tenant.admin()
                .patch(tenant.service(service) + "/scaling", "{'minTotalMemoryGb': 25}")
                .faultsAt("minTotalMemoryGb");
    }

    @Test
    void absentFieldsStayAndAnEmptyUpdateChangesNothing() {
        JsonNode service = tenant.running();
        JsonNode before = tenant.get(service);
        List<String> history = activities(service);
        assertThat(scale(service, "{}").ok()).isEqualTo(before);
        assertThat(scale(service, "{'numReplicas': null, 'idleScaling': null}").ok())
                .isEqualTo(before);
        assertThat(activities(service)).isEqualTo(history);
        JsonNode scaled = scale(service, "{'maxReplicaMemoryGb': 24}").ok();
        assertThat(scaled.path("minReplicaMemoryGb")).isEqualTo(before.path("minReplicaMemoryGb"));
    }

    @Test
    void replicasScaleHorizontallyAndBack() {
        JsonNode service = tenant.made("{}");
        JsonNode band = scale(
                        service,
                        "{'autoscalingMode': 'horizontal', 'minReplicaMemoryGb': 16, 'maxReplicaMemoryGb': 16,"
                                + " 'minReplicas': 2, 'maxReplicas': 6}")
                .ok();
        assertThat(band.path("autoscalingMode").asString()).isEqualTo("horizontal");
        assertThat(band.path("maxReplicas").asInt()).isEqualTo(6);
        JsonNode fixed = scale(service, "{'autoscalingMode': 'vertical', 'numReplicas': 3}")
                .ok();
        assertThat(fixed.path("autoscalingMode").asString()).isEqualTo("vertical");
        assertThat(fixed.has("maxReplicas")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'numReplicas': 0} | numReplicas",
                "{'numReplicas': 21} | numReplicas",
                "{'numReplicas': 1} | numReplicas",
                "{'minReplicaMemoryGb': 10} | minReplicaMemoryGb",
                "{'maxReplicaMemoryGb': 360} | maxReplicaMemoryGb",
                "{'minReplicaMemoryGb': 124} | minReplicaMemoryGb",
                "{'minReplicas': 2} | maxReplicas",
                "{'autoscalingMode': 'sideways'} | autoscalingMode",
                "{'autoscalingMode': 'horizontal'} | minReplicas",
                "{'idleTimeoutMinutes': 4} | idleTimeoutMinutes",
                "{'idleScaling': 'no'} | idleScaling"
            })
    void aSizeThatCannotBeIsRefused(String body, String path) {
        scale(tenant.made("{}"), body).faultsAt(path);
    }

    @Test
    void aDevelopmentServiceHasItsSizeForLife() {
        JsonNode service = tenant.made("{'tier': 'development'}");
        scale(service, "{'numReplicas': 3}").faultsAt("numReplicas");
        assertThat(scale(service, "{'idleScaling': false}")
                        .ok()
                        .path("idleScaling")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void aPasswordIsMadeAndShownOnce() {
        JsonNode service = tenant.running();
        String first = changePassword(service, "{}").ok().path("password").asString();
        String second = changePassword(service, "{'newPasswordHash': null, 'newDoubleSha1Hash': ''}")
                .ok()
                .path("password")
                .asString();
        assertThat(first).hasSizeGreaterThanOrEqualTo(20).isNotEqualTo(second);
        assertThat(started(service).password()).isEqualTo(SecretText.hash(second));
        assertThat(activities(service)).contains("service_update_password");
    }

    @Test
    void aPasswordWhoseHashIsBroughtAlongIsNotShown() {
        JsonNode service = tenant.running();
        String body = "{'newPasswordHash': 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',"
                + " 'newDoubleSha1Hash': '94bdcebe19083ce2a1f959fd02f964c7af4cfc29'}";
        assertThat(changePassword(service, body).ok()).isEmpty();
        house.settle();
        assertThat(changePassword(service, body).ok()).isEmpty();
        assertThat(house.isSettled())
                .as("the same password again is nothing to do")
                .isTrue();
        assertThat(activities(service))
                .as("but it says who set it")
                .filteredOn("service_update_password"::equals)
                .hasSize(2);
        assertThat(started(service).password()).isEqualTo(SecretText.hash("test"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'newPasswordHash': 'short'} | newPasswordHash",
                "{'newPasswordHash': 5} | newPasswordHash",
                "{'newDoubleSha1Hash': 'zz'} | newDoubleSha1Hash"
            })
    void aHashThatIsNoneIsRefused(String body, String path) {
        changePassword(tenant.made("{}"), body).faultsAt(path);
    }

    @Test
    void aPasswordAppliesToTheVersionThatWasReadOnly() {
        JsonNode service = tenant.made("{}");
        tenant.admin()
                .with("If-Match", "\"other\"")
                .patch(tenant.service(service) + "/password", "{}")
                .refused(412, "PRECONDITION_FAILED");
        tenant.admin()
                .with("If-Match", "\"other\"")
                .patch(tenant.service(service) + "/replicaScaling", "{}")
                .refused(412, "PRECONDITION_FAILED");
    }

    @Test
    void aServiceWhoseBackupCannotBeRestoredFailsWithTheReasonAndLosesNothing() {
        JsonNode service = tenant.running();
        String backups = tenant.service(service) + "/backups";
        JsonNode backup = tenant.admin().post(backups, "{}").ok();
        house.settle();
        house.plane.trap((deed, wanted, done) -> {
            if (deed == Deed.START && !done && wanted.fixed().origin() != null) {
                throw new PlaneFault("The backup cannot be read");
            }
        });
        JsonNode restored = tenant.made("{'backupId': '" + backup.path("id").asString() + "'}");
        house.await(
                "it has failed",
                () -> tenant.get(restored).path("state").asString().equals("failed"));
        assertThat(tenant.get(restored).path("stateReason").asString()).contains("The backup cannot be read");
        house.letPass(Duration.ofDays(30));
        assertThat(tenant.admin().get(backups).ok())
                .extracting(item -> item.path("id").asString())
                .contains(backup.path("id").asString());
        unwatch();
        house.settle();
        assertThat(tenant.get(restored).path("state").asString()).isEqualTo("running");
        assertThat(tenant.get(restored).has("stateReason")).isFalse();
    }

    @Test
    void thePrivateSideOfAServiceIsStable() {
        JsonNode service = tenant.made("{}");
        String path = tenant.service(service) + "/privateEndpointConfig";
        ApiAnswer read = tenant.admin().get(path);
        assertThat(read.ok().path("endpointServiceId").asString())
                .endsWith(service.path("id").asString());
        assertThat(read.ok().path("privateDnsHostname").asString())
                .isEqualTo(service.path("endpoints").get(0).path("host").asString());
        house.settle();
        tenant.update(service, "{'name': 'New'}").ok();
        assertThat(tenant.admin().get(path).ok()).isEqualTo(read.ok());
        assertThat(tenant.admin()
                        .with("If-None-Match", read.need("etag"))
                        .get(path)
                        .status())
                .isEqualTo(304);
    }

    @Test
    void anEndpointThatAnOrganizationGivesUpLeavesAllItsServices() {
        String give = "{'privateEndpointIds': {'add': ['vpce-1', 'vpce-2']}}";
        JsonNode one = tenant.made("{}");
        JsonNode two = tenant.made("{}");
        tenant.update(one, give).ok();
        tenant.update(two, give).ok();
        tenant.update(two, "{'privateEndpointIds': {'remove': ['vpce-1']}}").ok();
        tenant.update(two, "{'privateEndpointIds': {'add': ['vpce-1']}}").ok();
        tenant.admin()
                .patch(tenant.path(), "{'privateEndpoints': {'remove': [{'id': 'vpce-1'}]}}")
                .ok();
        for (JsonNode service : List.of(one, two)) {
            JsonNode ids = tenant.get(service).path("privateEndpointIds");
            assertThat(ids).hasSize(1);
            assertThat(ids.get(0).asString()).isEqualTo("vpce-2");
        }
        tenant.command(one, "stop").ok();
        house.settle();
        tenant.delete(one).ok();
        house.settle();
        tenant.admin()
                .patch(tenant.path(), "{'privateEndpoints': {'remove': [{'id': 'vpce-2'}]}}")
                .ok();
        assertThat(tenant.get(two).path("privateEndpointIds")).isEmpty();
    }
}
