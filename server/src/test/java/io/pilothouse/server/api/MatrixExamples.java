package io.pilothouse.server.api;

import io.pilothouse.http.wire.Route;
import io.pilothouse.testkit.api.ApiAnswer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** For each operation one request that succeeds when its caller may make it: what must be there for it, and its body. */
final class MatrixExamples {
    private final Map<String, Example> byOperationId = new HashMap<>();
    private final Map<String, JsonNode> runningServices = new HashMap<>();

    /** What an operation needs, by the names of its path's parameters, and the body of its request. */
    record Example(
            Function<Tenant, Map<String, String>> needs,
            @Nullable String body) {}

    MatrixExamples() {
        reads("organizationGetList", MatrixExamples::nothing);
        writes("organizationCreate", MatrixExamples::nothing, "{'name': 'Made by a matrix'}");
        reads("organizationGet", MatrixExamples::nothing);
        writes("organizationUpdate", MatrixExamples::nothing, """
                {'name': 'Renamed by a matrix', 'privateEndpoints': {'add': [{'id': 'vpce-1'}]}}""");
        reads("instanceGetList", MatrixExamples::nothing);
        writes("instanceCreate", MatrixExamples::nothing, """
                {'name': 'Made', 'provider': 'aws', 'region': 'eu-west-1', 'numReplicas': 3, 'maxReplicaMemoryGb': 16,
                 'idleScaling': true, 'ipAccessList': [{'source': '192.0.2.0/24', 'description': 'Office'}],
                 'endpoints': [{'protocol': 'mysql', 'enabled': true}], 'tags': [{'key': 'k', 'value': 'v'}]}""");
        reads("instanceGet", MatrixExamples::service);
        writes("instanceUpdate", MatrixExamples::service, """
                {'name': 'Renamed', 'ipAccessList': {'add': [{'source': '::1'}], 'remove': [{'source': '::2'}]},
                 'releaseChannel': 'slow', 'endpoints': [{'protocol': 'mysql', 'enabled': true}]}""");
        reads("instanceDelete", MatrixExamples::service);
        writes("instanceStateUpdate", MatrixExamples::service, "{'command': 'stop'}");
        writes("instancePrivateEndpointCreate", MatrixExamples::service, "{'id': 'vpce-1'}");
        writes("instanceReplicaScalingUpdate", MatrixExamples::service, """
                {'minReplicaMemoryGb': 16, 'maxReplicaMemoryGb': 32, 'numReplicas': 4, 'idleScaling': false}""");
        writes("instanceScalingUpdate", MatrixExamples::service, "{'minTotalMemoryGb': 48, 'maxTotalMemoryGb': 96}");
        writes("instancePasswordUpdate", MatrixExamples::service, """
                {'newPasswordHash': 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
                 'newDoubleSha1Hash': '94bdcebe19083ce2a1f959fd02f964c7af4cfc29'}""");
        reads("instancePrivateEndpointConfigGet", MatrixExamples::service);
        reads("backupGetList", MatrixExamples::service);
        reads("backupCreate", MatrixExamples::newRunning);
        reads("backupGet", this::backup);
        reads("backupConfigurationGet", MatrixExamples::service);
        writes(
                "backupConfigurationUpdate",
                MatrixExamples::service,
                "{'backupPeriodInHours': null, 'backupRetentionPeriodInHours': 48, 'backupStartTime': '2:00'}");
        reads("openapiKeyGetList", MatrixExamples::nothing);
        writes("openapiKeyCreate", MatrixExamples::nothing, """
                {'name': 'Made by a matrix', 'roles': ['query_endpoints'], 'ipAccessList': [{'source': '::1'}]}""");
        reads("openapiKeyGet", MatrixExamples::key);
        writes("openapiKeyUpdate", MatrixExamples::key, "{'name': 'Renamed'}");
        reads("openapiKeyDelete", MatrixExamples::key);
        reads("alertsTokenGetList", MatrixExamples::nothing);
        writes("alertsTokenCreate", MatrixExamples::nothing, "{'name': 'Made by a matrix'}");
        reads("alertsTokenDelete", MatrixExamples::alertsToken);
        reads("activityGetList", MatrixExamples::nothing);
        reads("activityGet", MatrixExamples::activity);
        addPipes();
    }

    private void addPipes() {
        reads("clickPipeGetList", this::running);
        writes("clickPipeCreate", this::running, PipeBodies.KAFKA);
        reads("clickPipeGet", this::pipe);
        writes("clickPipeUpdate", this::pipe, "{'name': 'Renamed'}");
        reads("clickPipeDelete", this::pipe);
        writes("clickPipeScalingUpdate", this::pipe, "{'replicas': 2, 'concurrency': 4}");
        writes("clickPipeStateUpdate", this::pipe, "{'command': 'stop'}");
        reads("clickPipeSettingsGet", this::pipe);
        writes("clickPipeSettingsUpdate", this::pipe, "{'streaming_max_insert_wait_ms': 1000}");
        reads("clickPipeCdcScalingGet", this::withDatabasePipe);
        writes(
                "clickPipeCdcScalingUpdate",
                this::withDatabasePipe,
                "{'replicaCpuMillicores': 4000, 'replicaMemoryGb': 16}");
        reads("clickPipeReversePrivateEndpointGetList", this::running);
        writes("clickPipeReversePrivateEndpointCreate", this::running, PipeBodies.ROUTE);
        reads("clickPipeReversePrivateEndpointGet", this::route);
        writes(
                "clickPipeReversePrivateEndpointUpdate",
                this::route,
                "{'customPrivateDnsMappings': [{'privateDnsName': 'db.example.org'}]}");
        reads("clickPipeReversePrivateEndpointDelete", this::route);
    }

    /** What hangs under a service wants it to run; one for each organization is enough. */
    private JsonNode runningService(Tenant tenant) {
        return runningServices.computeIfAbsent(tenant.id(), id -> tenant.running());
    }

    private Map<String, String> running(Tenant tenant) {
        return Map.of("serviceId", runningService(tenant).path("id").asString());
    }

    /** One that no backup is in progress of. */
    private static Map<String, String> newRunning(Tenant tenant) {
        return Map.of("serviceId", tenant.running().path("id").asString());
    }

    private Map<String, String> backup(Tenant tenant) {
        JsonNode service = tenant.running();
        String id = tenant.admin()
                .post(tenant.service(service) + "/backups", "{}")
                .ok()
                .path("id")
                .asString();
        return Map.of("serviceId", service.path("id").asString(), "backupId", id);
    }

    private Map<String, String> pipe(Tenant tenant) {
        return inside(tenant, "clickPipeId", service -> tenant.admin().post(tenant.pipes(service), PipeBodies.KAFKA));
    }

    private Map<String, String> withDatabasePipe(Tenant tenant) {
        JsonNode service = runningService(tenant);
        tenant.admin().post(tenant.pipes(service), PipeBodies.POSTGRES).ok();
        return Map.of("serviceId", service.path("id").asString());
    }

    private Map<String, String> route(Tenant tenant) {
        return inside(
                tenant,
                "reversePrivateEndpointId",
                service -> tenant.admin().post(tenant.routes(service), PipeBodies.ROUTE));
    }

    private Map<String, String> inside(Tenant tenant, String name, Function<JsonNode, ApiAnswer> make) {
        JsonNode service = runningService(tenant);
        String id = make.apply(service).ok().path("id").asString();
        return Map.of("serviceId", service.path("id").asString(), name, id);
    }

    private static Map<String, String> nothing(Tenant tenant) {
        return Map.of();
    }

    private static Map<String, String> service(Tenant tenant) {
        return Map.of("serviceId", tenant.made("{}").path("id").asString());
    }

    private static Map<String, String> key(Tenant tenant) {
        return Map.of("keyId", tenant.newKey("developer").path("key").path("id").asString());
    }

    private static Map<String, String> alertsToken(Tenant tenant) {
        return Map.of(
                "tokenId", tenant.newAlertsToken().path("token").path("id").asString());
    }

    private static Map<String, String> activity(Tenant tenant) {
        JsonNode newest = tenant.admin().get(tenant.path() + "/activities").ok().get(0);
        return Map.of("activityId", newest.path("id").asString());
    }

    private void reads(String operationId, Function<Tenant, Map<String, String>> needs) {
        byOperationId.put(operationId, new Example(needs, null));
    }

    private void writes(String operationId, Function<Tenant, Map<String, String>> needs, String body) {
        byOperationId.put(operationId, new Example(needs, body));
    }

    Example of(Route route) {
        Example example = byOperationId.get(route.operationId());
        if (example == null) {
            throw new AssertionError(route.operationId() + " has no example here: add one, and the matrix covers it");
        }
        return example;
    }
}
