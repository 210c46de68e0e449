package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiJson;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** A service that is being deleted: it takes nothing any more, and no other may begin to depend on it. */
class TerminatingServiceTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    /** One that ran, so that its end takes time, which stands still here. */
    private JsonNode terminating() {
        JsonNode service = tenant.running();
        tenant.command(service, "stop").ok();
        house.settle();
        tenant.delete(service).ok();
        assertThat(tenant.get(service).path("state").asString()).isEqualTo("terminating");
        return service;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PATCH | | {'name': 'Too late'}",
                "PATCH | | {}",
                "PATCH | /replicaScaling | {'idleTimeoutMinutes': 30}",
                "PATCH | /scaling | {'idleTimeoutMinutes': 30}",
                "PATCH | /password | {}",
                "PATCH | /state | {'command': 'start'}",
                "PATCH | /backupConfiguration | {'backupPeriodInHours': 24}",
                "PUT | /upgradeWindow | {'weekday': 3, 'startHourUtc': 12}",
                "PATCH | /clickhouseSettings | {'settings': '{}'}",
                "POST | /serviceQueryEndpoint | {'roles': ['sql_console_admin']}",
                "POST | /backupBucket | {'bucketProvider': 'GCP', 'bucketPath': 'gs://ours', 'accessKeyId': 'a', 'secretAccessKey': 'b'}",
                "POST | /privateEndpoint | {'id': 'vpce-late'}",
                "POST | /backups | {}"
            })
    void takesNoChange(String method, String path, String body) {
        JsonNode service = terminating();
        ApiAnswer answer =
                tenant.admin().send(method, tenant.service(service) + (path == null ? "" : path), ApiJson.text(body));
        answer.refused(409, "CONFLICT");
        assertThat(answer.text()).contains("Current state: 'terminating'");
        assertThat(tenant.organization().path("privateEndpoints")).isEmpty();
    }

    @Test
    void takesNoPipeAndNoWayToASource() {
        JsonNode service = terminating();
        tenant.admin().post(tenant.pipes(service), PipeBodies.KAFKA).refused(409, "CONFLICT");
        tenant.admin().post(tenant.routes(service), PipeBodies.ROUTE).refused(409, "CONFLICT");
    }

    @Test
    void itsWarehouseTakesNobodyIn() {
        JsonNode primary = terminating();
        String warehouse = primary.path("dataWarehouseId").asString();
        for (String more : List.of("", ", 'isReadonly': true", ", 'numReplicas': 1")) {
            tenant.create("{'dataWarehouseId': '" + warehouse + "'" + more + "}")
                    .faultsAt("dataWarehouseId");
        }
        house.settle();
        tenant.create("{'dataWarehouseId': '" + warehouse + "'}").faultsAt("dataWarehouseId");
        assertThat(tenant.admin().get(tenant.services()).ok()).isEmpty();
    }

    @Test
    void aPrimaryThatIsDeletedWhileAnotherJoinsLeavesNoneWithoutOne() throws InterruptedException {
        for (int round = 0; round < 10; round++) {
            JsonNode primary = tenant.made("{}");
            Tenant crowd = tenant.inACrowd();
            String body =
                    "{'dataWarehouseId': '" + primary.path("dataWarehouseId").asString() + "'}";
            Thread joins = Thread.ofVirtual().start(() -> crowd.create(body));
            crowd.delete(primary);
            joins.join();
            house.settle();
            List<JsonNode> left = tenant.admin().get(tenant.services()).ok().values().stream()
                    .filter(service -> service.path("dataWarehouseId").equals(primary.path("dataWarehouseId")))
                    .toList();
            assertThat(left.isEmpty()
                            || left.stream()
                                    .anyMatch(
                                            service -> service.path("isPrimary").asBoolean()))
                    .as("a warehouse with services has its primary: %s", left)
                    .isTrue();
        }
    }
}
