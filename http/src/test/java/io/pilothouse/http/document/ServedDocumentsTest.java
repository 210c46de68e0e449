package io.pilothouse.http.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.testkit.api.Contract;
import io.pilothouse.testkit.api.ContractExchange;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the two documents that the program serves against requests and answers whose verdict is known. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ServedDocumentsTest {
    private static final RuleBook SEED = RuleBook.of(Edition.SEED);
    private static final String JSON = "application/json";
    private static final String ID = "0b8f6d1e-52f0-4a7b-9a3c-3f0d9f1b2c4d";
    private static final String SERVICES = "/v1/organizations/" + ID + "/services";
    private static final String SERVICE = """
            {"id": "0b8f6d1e-52f0-4a7b-9a3c-3f0d9f1b2c4d", "name": "Search 1", "provider": "aws", "region": "us-east-1",
             "state": "running", "dbVersion": "26.8.1", "clickhouseVersion": "26.8.1",
             "endpoints": [{"protocol": "https", "host": "localhost", "port": 8443, "username": "default"}],
             "minTotalMemoryGb": 24, "maxTotalMemoryGb": 360, "minReplicaMemoryGb": 8, "maxReplicaMemoryGb": 120,
             "numReplicas": 3, "idleScaling": true, "idleTimeoutMinutes": 15,
             "ipAccessList": [{"source": "10.0.0.0/8", "description": "office"}], "createdAt": "2026-01-02T03:04:05.678Z",
             "iamRole": "role/1", "privateEndpointIds": [], "availablePrivateEndpointIds": ["vpce-1"],
             "dataWarehouseId": "w", "isPrimary": true, "isReadonly": false, "hasTransparentDataEncryption": false,
             "releaseChannel": "default", "tags": [{"key": "team", "value": "search"}, {"key": "nightly"}],
             "autoscalingMode": "vertical", "currentScaling": {"effectiveAutoscalingMode": "vertical",
               "effectiveMinReplicaMemoryGb": 8, "effectiveMaxReplicaMemoryGb": 120, "effectiveMinReplicas": 3,
               "effectiveMaxReplicas": 3, "effectiveIdleScaling": true, "effectiveIdleTimeoutMinutes": 15},
             "enableCoreDumps": false}""";
    private static final String ALERT = """
            {"id": "a1", "name": "Down", "message": "", "threshold": 1, "interval": "5m", "thresholdType": "above",
             "source": "tile", "state": "inactive", "channel": {"type": "webhook", "webhookId": "w1"}, "team": "t",
             "tileId": "x", "dashboard": "d", "createdAt": "2026-01-02T03:04:05Z", "updatedAt": "2026-01-02T03:04:05Z"}""";

    private final Contract management =
            Contract.of(DocumentRoutes.ofManagement(SEED).document().json());
    private final Contract alerts =
            Contract.of(DocumentRoutes.ofAlerts(SEED).document().json());

    @Test
    void wholeServicePasses() {
        assertThat(management.check(get(SERVICES + "/" + ID, 200, enveloped(SERVICE))))
                .isEmpty();
        assertThat(management.check(get(SERVICES, 200, enveloped("[" + SERVICE + "]"))))
                .isEmpty();
    }

    @Test
    void serviceThatLeaksOrForgetsIsFlagged() {
        assertThat(management.check(
                        get(SERVICES + "/" + ID, 200, enveloped(SERVICE.replace("\"iamRole\"", "\"passwordHash\"")))))
                .hasSize(2)
                .anyMatch(violation -> violation.contains("'passwordHash'"))
                .anyMatch(violation -> violation.contains("'iamRole'"));
    }

    @Test
    void oneOfTheTwoVersionNamesIsNotEnough() {
        assertThat(management.check(
                        get(SERVICES + "/" + ID, 200, enveloped(SERVICE.replace("\"dbVersion\": \"26.8.1\", ", "")))))
                .hasSize(1);
    }

    @Test
    void errorMustCarryTheStatusAndTheWordOfItsOwnKind() {
        String path = SERVICES + "/" + ID;
        assertThat(management.check(get(path, 404, error(404, "NOT_FOUND: Service not found"))))
                .isEmpty();
        assertThat(management.check(get(path, 404, error(400, "NOT_FOUND: Service not found"))))
                .hasSize(1);
        assertThat(management.check(get(path, 404, error(404, "BAD_REQUEST: Service not found"))))
                .hasSize(1);
        assertThat(management.check(get(path, 412, error(412, "PRECONDITION_FAILED: It has changed"))))
                .hasSize(1);
    }

    @Test
    void deletionHasNoResult() {
        String requestId = "{\"status\": 200, \"requestId\": \"" + ID + "\"";
        String path = SERVICES + "/" + ID;
        assertThat(management.check(exchange("DELETE", path, null, 200, requestId + "}")))
                .isEmpty();
        assertThat(management.check(exchange("DELETE", path, null, 200, requestId + ", \"result\": {}}")))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'name': null, 'provider': null, 'tier': null, 'ipAccessList': null, 'unknown': [1]}",
                "{'name': 'Größe 1', 'provider': 'gcp', 'region': 'us-east1'}",
                "{'provider': 'aws', 'region': 'us-east-1', 'isReadonly': false, 'idleScaling': false, 'numReplicas': 2.0,"
                        + " 'ipAccessList': [{'source': '0.0.0.0/0', 'description': ''}, {'source': '::ffff:10.0.0.1/120'}],"
                        + " 'minReplicaMemoryGb': 8, 'maxReplicaMemoryGb': 356, 'autoscalingMode': 'vertical'}",
                "{'tier': 'development', 'provider': 'aws', 'numReplicas': null}",
                "{'byocId': 'b', 'minReplicaMemoryGb': 48, 'maxReplicaMemoryGb': 232}",
                "{'isReadonly': true, 'dataWarehouseId': 'w'}",
                "{'minReplicas': 2, 'maxReplicas': 4, 'autoscalingMode': 'horizontal'}",
                "{'endpoints': [{'protocol': 'mysql', 'enabled': true}], 'backupId': '0B8F6D1E-52F0-4A7B-9A3C-3F0D9F1B2C4D'}"
            })
    void serviceMayBeCreatedWith(String body) {
        assertThat(create(body)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{'name': ' '}",
                "{'name': 'a-b'}",
                "{'name': '123456789 123456789 123456789 123456789 123456789 1'}",
                "{'provider': 'aws', 'region': 'eastus'}",
                "{'region': 'ca-central-1'}",
                "{'tier': 'huge'}",
                "{'tier': 'development', 'provider': 'azure'}",
                "{'tier': 'development', 'releaseChannel': 'fast'}",
                "{'ipAccessList': [{'source': 'localhost'}]}",
                "{'ipAccessList': [{'description': 'no source'}]}",
                "{'minTotalMemoryGb': 12}",
                "{'maxTotalMemoryGb': 1080}",
                "{'minReplicaMemoryGb': 10}",
                "{'maxReplicaMemoryGb': 360}",
                "{'numReplicas': 21}",
                "{'numReplicas': '3'}",
                "{'idleTimeoutMinutes': 4}",
                "{'isReadonly': true}",
                "{'byocId': 'b'}",
                "{'byocId': 'b', 'minReplicaMemoryGb': 52, 'maxReplicaMemoryGb': 232}",
                "{'minReplicas': 2}",
                "{'minReplicas': 2, 'maxReplicas': 2, 'numReplicas': 2}",
                "{'endpoints': [{'protocol': 'https', 'enabled': false}]}",
                "{'backupId': '1-1-1-1-1'}",
                "{'releaseChannel': 'never'}",
                "{'profile': 'v2'}",
                "{'complianceType': 'gdpr'}",
                "{'tags': [{'key': 'a b'}]}"
            })
    void serviceMayNotBeCreatedWith(String body) {
        assertThat(create(body)).isNotEmpty().allMatch(violation -> violation.contains("accepted a request"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'replicas': 10, 'concurrency': 0}",
                "{'replicaCpuMillicores': null, 'replicaMemoryGb': 0.5}"
            })
    void pipeMayBeScaledTo(String body) {
        assertThat(scale(body)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'replicas': 0}",
                "{'replicas': 11}",
                "{'replicas': 1.5}",
                "{'concurrency': 35}",
                "{'replicaCpuMillicores': 124}",
                "{'replicaCpuMillicores': 2001}",
                "{'replicaMemoryGb': 0.4}",
                "{'replicaMemoryGb': 8.1}"
            })
    void pipeMayNotBeScaledTo(String body) {
        assertThat(scale(body)).isNotEmpty();
    }

    @Test
    void everyOperationOfTheSeedIsThere() {
        assertThat(management.operationIds())
                .contains(
                        "instanceCreate",
                        "instanceUpdate",
                        "instanceGet",
                        "clickPipeScalingUpdate",
                        "organizationUpdate",
                        "clickPipeReversePrivateEndpointGetList",
                        "instancePrivateEndpointCreate");
        assertThat(alerts.operationFor("GET", "/api/v2/alerts?limit=5")).contains("alertGetList");
    }

    @Test
    void alertCarriesEveryFieldOfTheSeed() {
        assertThat(alerts.check(get("/api/v2/alerts", 200, listed("")))).isEmpty();
        assertThat(alerts.check(get("/api/v2/alerts", 200, listed(ALERT)))).isEmpty();
        for (String field : List.of("name", "message", "threshold", "interval", "thresholdType", "source", "state")) {
            String without = ALERT.replace("\"" + field + "\":", "\"note\":");
            assertThat(alerts.check(get("/api/v2/alerts", 200, listed(without))))
                    .anyMatch(violation -> violation.contains("'" + field + "'"));
        }
    }

    @Test
    void alertsErrorIsAMessageAndNothingElse() {
        assertThat(alerts.check(get("/api/v2/alerts", 401, "{\"message\": \"Unknown token\"}")))
                .isEmpty();
        assertThat(alerts.check(get("/api/v2/alerts", 401, error(401, "UNAUTHORIZED: no"))))
                .isNotEmpty();
    }

    private List<String> create(String body) {
        String created = "{\"service\": " + SERVICE + ", \"password\": \"abcdefghijABCDEFGHIJ1-_~\"}";
        return management.check(exchange("POST", SERVICES, body.replace('\'', '"'), 200, enveloped(created)));
    }

    private List<String> scale(String body) {
        String pipe = """
                {"id": "%s", "serviceId": "%s", "name": "p", "state": "Running",
                 "scaling": {"replicas": 1, "concurrency": 0, "replicaCpuMillicores": 125, "replicaMemoryGb": 0.5},
                 "source": {"kinesis": {"format": "Avro", "streamName": "s", "region": "r", "useEnhancedFanOut": false}},
                 "destination": {"database": "default", "table": "t", "managedTable": false, "columns": []},
                 "fieldMappings": [], "settings": {}, "createdAt": "2026-01-02T03:04:05Z", "updatedAt": "2026-01-02T03:04:05Z"}""".formatted(ID, ID);
        String path = SERVICES + "/" + ID + "/clickpipes/" + ID + "/scaling";
        return management.check(exchange("PATCH", path, body.replace('\'', '"'), 200, enveloped(pipe)));
    }

    private static ContractExchange get(String path, int status, String answer) {
        return exchange("GET", path, null, status, answer);
    }

    private static ContractExchange exchange(
            String method, String path, @Nullable String body, int status, String answer) {
        return new ContractExchange(method, path, body == null ? null : JSON, body, status, JSON, answer);
    }

    private static String enveloped(String result) {
        return "{\"status\": 200, \"requestId\": \"" + ID + "\", \"result\": " + result + "}";
    }

    private static String error(int status, String text) {
        return "{\"status\": " + status + ", \"error\": \"" + text + "\", \"requestId\": \"" + ID + "\"}";
    }

    private static String listed(String alert) {
        return "{\"data\": [" + alert + "], \"meta\": {\"total\": 1, \"limit\": 1000, \"offset\": 0}}";
    }
}
