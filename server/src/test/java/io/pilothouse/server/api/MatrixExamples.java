package io.pilothouse.server.api;

import io.pilothouse.http.api.Operation;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import io.pilothouse.testkit.api.ApiAnswer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** For each operation one request that succeeds when its caller may make it: what must be there for it, and its body. */
final class MatrixExamples {
    private final Map<String, JsonNode> runningServices = new HashMap<>();

    /** The body that the document gives as an example; null where there is none. */
    static @Nullable String body(Route route) {
        return ApiDocument.MANAGEMENT.example(route.operationId());
    }

    /** The things made for a request, by the names of the parameters of its path. */
    Map<String, String> needs(Route route, Tenant tenant) {
        String last = route.path().replaceAll(".*\\{(\\w+)}[^{]*", "$1");
        return switch (last) {
            case "serviceId" ->
                Map.of(
                        last,
                        service(Operation.valueOf(route.operationId()), tenant)
                                .path("id")
                                .asString());
            case "backupId" ->
                inside(
                        tenant.running(),
                        last,
                        service -> tenant.admin().post(tenant.service(service) + "/backups", "{}"));
            case "clickPipeId" ->
                inside(
                        runningService(tenant),
                        last,
                        service -> tenant.admin().post(tenant.pipes(service), pipe(route)));
            case "reversePrivateEndpointId" ->
                inside(
                        runningService(tenant),
                        last,
                        service -> tenant.admin().post(tenant.routes(service), PipeBodies.ROUTE));
            case "keyId" ->
                Map.of(last, tenant.newKey("developer").at("/key/id").asString());
            case "quotaCode" -> Map.of(last, "services-per-organization");
            case "byocInfrastructureId" ->
                Map.of(last, tenant.newByoc().path("id").asString());
            case "roleId" ->
                Map.of(last, tenant.newRole("Read", "view").path("id").asString());
            case "userId" -> Map.of(last, tenant.newMember().path("userId").asString());
            case "invitationId" ->
                Map.of(last, tenant.newInvitation().path("id").asString());
            case "settingName" ->
                Map.of("serviceId", tenant.made("{}").path("id").asString(), last, "max_threads");
            case "tokenId" ->
                Map.of(last, tenant.newAlertsToken().at("/token/id").asString());
            case "activityId" ->
                Map.of(
                        last,
                        tenant.admin()
                                .get(tenant.path() + "/activities")
                                .ok()
                                .at("/0/id")
                                .asString());
            default -> {
                if (route.path().replace("{organizationId}", "").contains("{")) {
                    throw new AssertionError("Nothing here makes a {" + last + "}: add it, and the matrix covers it");
                }
                yield Map.of();
            }
        };
    }

    /** Only one that does not run can be sent elsewhere. */
    private static String pipe(Route route) {
        return route.operationId().equals(Operation.clickPipeOffsetsUpdate.name())
                ? PipeBodies.WAITING_KAFKA
                : PipeBodies.KAFKA;
    }

    /** What an operation must be asked with behind its path. */
    static String query(Route route) {
        return switch (Operation.valueOf(route.operationId())) {
            case organizationPrivateEndpointConfigGetList -> "?cloud_provider=aws&region_id=eu-west-1";
            case usageCostGet -> "?from_date=2026-01-01&to_date=2026-01-02";
            default -> "";
        };
    }

    private JsonNode service(Operation operation, Tenant tenant) {
        return switch (operation) {
            // One that no backup is in progress of.
            case backupCreate -> tenant.running();
            // One that has no bucket yet.
            case backupBucketCreate -> tenant.made("{}");
            case clickPipeGetList,
                    clickPipeCreate,
                    clickPipeSchemaDiscovery,
                    clickPipeReversePrivateEndpointGetList,
                    clickPipeReversePrivateEndpointCreate -> runningService(tenant);
            case clickPipeCdcScalingGet, clickPipeCdcScalingUpdate -> {
                JsonNode service = runningService(tenant);
                tenant.admin().post(tenant.pipes(service), PipeBodies.POSTGRES).ok();
                yield service;
            }
            default -> {
                JsonNode service = tenant.made("{}");
                part(operation, tenant, service);
                yield service;
            }
        };
    }

    /** Sets the part of a service that an operation reads or deletes. */
    private static void part(Operation operation, Tenant tenant, JsonNode service) {
        List<Operation> same = Stream.of(Operation.values())
                .filter(other -> other.path().equals(operation.path()) && !other.ofAlerts())
                .toList();
        if (same.stream().noneMatch(other -> other.verb() == Verb.DELETE)) {
            return;
        }
        for (Operation other : same) {
            String body = other.verb() == Verb.PUT || other.verb() == Verb.POST
                    ? ApiDocument.MANAGEMENT.example(other.name())
                    : null;
            if (body != null) {
                String last = other.path().replaceAll(".*/", "/");
                tenant.admin()
                        .send(other.verb().name(), tenant.service(service) + last, body)
                        .ok();
            }
        }
    }

    /** The parts of a service need it to run; one for each organization is enough. */
    private JsonNode runningService(Tenant tenant) {
        return runningServices.computeIfAbsent(tenant.id(), _ -> tenant.running());
    }

    private static Map<String, String> inside(JsonNode service, String name, Function<JsonNode, ApiAnswer> make) {
        String id = make.apply(service).ok().path("id").asString();
        return Map.of("serviceId", service.path("id").asString(), name, id);
    }
}
