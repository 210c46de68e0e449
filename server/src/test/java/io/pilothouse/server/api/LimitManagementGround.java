package io.pilothouse.server.api;

import io.pilothouse.core.right.Role;
import io.pilothouse.http.api.Operation;
import io.pilothouse.http.wire.Route;
import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiJson;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Organizations of the management API, and in them whatever a path names. */
final class LimitManagementGround implements LimitGround {
    private static final String ORGANIZATION =
            "{'name': 'Limits', 'byocConfig': [{'id': 'byoc-1', 'accountName': 'a'}]}";

    private final House house;
    private final Tenant tenant;
    private final Tenant home;
    private final LimitBodies bodies = new LimitBodies();
    private final MatrixExamples examples = new MatrixExamples();
    private final JsonNode running;
    private final Map<String, String> words;

    LimitManagementGround(House house) {
        this.house = house;
        this.tenant = house.tenant(ORGANIZATION).inACrowd();
        this.home = new Tenant(house, house.homeId(), house.root()).inACrowd();
        this.running = tenant.running();
        String backup = id(tenant.service(running) + "/backups", "{}");
        String route = id(tenant.routes(running), PipeBodies.ROUTE);
        house.settle();
        this.words = Map.of(
                "{warehouse}",
                running.path("dataWarehouseId").asString(),
                "{backup}",
                backup,
                "{route}",
                route,
                "{key}",
                tenant.newKey("developer").at("/key/id").asString(),
                "{organization}",
                tenant.id(),
                "{role}",
                Role.DEVELOPER.id().toString());
    }

    private String id(String path, String body) {
        return tenant.admin().post(path, body).ok().path("id").asString();
    }

    @Override
    public List<JsonNode> bodies(Route route) {
        String example = MatrixExamples.body(route);
        return bodies.of(Operation.valueOf(route.operationId()), example == null ? "{}" : example).stream()
                .map(this::read)
                .toList();
    }

    private JsonNode read(String body) {
        String whole = body;
        for (Map.Entry<String, String> word : words.entrySet()) {
            whole = whole.replace(word.getKey(), word.getValue());
        }
        return ApiJson.read(whole);
    }

    @Override
    public Target target(Route route, JsonNode body) {
        Operation operation = Operation.valueOf(route.operationId());
        return switch (operation) {
            case organizationCreate -> new Target(house.root().inACrowd(), route.path());
            // A key grants what its caller has, and only the first one has everything.
            case openapiKeyCreate, openapiKeyUpdate -> in(home, route, examples.needs(route, home));
            case organizationRolePatch -> in(tenant, route, Map.of("roleId", roleToChange()));
            // Their lists fill up.
            case organizationUpdate -> in(house.tenant(ORGANIZATION).inACrowd(), route, Map.of());
            case instanceUpdate -> {
                Tenant own = house.tenant(ORGANIZATION).inACrowd();
                yield in(own, route, serviceId(own.made("{'hasTransparentDataEncryption': true}")));
            }
            case instanceReplicaScalingUpdate, instanceScalingUpdate ->
                // Of which the first has two replicas at least.
                in(
                        tenant,
                        route,
                        serviceId(tenant.made("{'dataWarehouseId': '" + text(running, "dataWarehouseId") + "'}")));
            case clickPipeCreate, clickPipeSchemaDiscovery, clickPipeReversePrivateEndpointCreate ->
                in(tenant, route, serviceId(running));
            case clickPipeOffsetsUpdate -> {
                // Theirs are the partitions that the walk makes up, too.
                String pipe = body.has("sequenceNumber")
                        ? PipeBodies.WAITING_KINESIS.replace("'streamName': 's'", "'streamName': 'fd00:'")
                        : PipeBodies.WAITING_KAFKA.replace("'topics': 'events'", "'topics': 'events,fd00:'");
                yield in(
                        tenant,
                        route,
                        Map.of("serviceId", text(running, "id"), "clickPipeId", id(tenant.pipes(running), pipe)));
            }
            case clickPipeUpdate, clickPipeSettingsUpdate, clickPipeStateUpdate ->
                in(tenant, route, Map.of("serviceId", text(running, "id"), "clickPipeId", pipe(body)));
            default -> in(tenant, route, examples.needs(route, tenant));
        };
    }

    /** The one with the shortest name comes first: no two roles share a name, and a change is to take that one too. */
    private String roleToChange() {
        return tenant.admin()
                .get(tenant.roles())
                .ok()
                .valueStream()
                .filter(role -> text(role, "name").length() == 1)
                .map(role -> text(role, "id"))
                .findFirst()
                .orElseGet(() -> text(tenant.newRole("Read", "view"), "id"));
    }

    private static Map<String, String> serviceId(JsonNode service) {
        return Map.of("serviceId", text(service, "id"));
    }

    private static Target in(Tenant tenant, Route route, Map<String, String> needs) {
        String path = route.path().replace("{organizationId}", tenant.id());
        for (Map.Entry<String, String> need : needs.entrySet()) {
            path = path.replace("{" + need.getKey() + "}", need.getValue());
        }
        return new Target(tenant.admin(), path);
    }

    /** A pipe that fits this change of one. */
    private String pipe(JsonNode change) {
        String id = id(tenant.pipes(running), read(LimitPipes.pipeFor(change)).toString());
        boolean tables = change.toString().contains("tableMappings");
        if (tables || text(change, "command").equals("start")) {
            tenant.admin()
                    .patch(tenant.pipes(running) + "/" + id + "/state", "{'command': 'stop'}")
                    .ok();
        }
        if (tables) {
            house.settle();
        } else {
            // The engine is through with it before it is changed.
            house.turn();
        }
        return id;
    }

    private static String text(JsonNode node, String name) {
        return node.path(name).asString("");
    }

    @Override
    public List<String> faults(ApiAnswer answer) {
        return Stream.of(answer.json().path("details"))
                .flatMap(JsonNode::valueStream)
                .map(fault -> text(fault, "path"))
                .toList();
    }
}
