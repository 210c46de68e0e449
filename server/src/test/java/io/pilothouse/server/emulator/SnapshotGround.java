package io.pilothouse.server.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.server.emulator.EmulatorHouse.Tenant;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiJson;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An organization of a house with one of each thing, and everything that its clients see of it. */
final class SnapshotGround {
    private static final Duration STEP = Duration.ofSeconds(3);
    private static final Duration GLANCE = Duration.ofMillis(10);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final EmulatorHouse house;
    private final HttpClient client = HttpClient.newHttpClient();

    SnapshotGround(EmulatorHouse house) {
        this.house = house;
    }

    /** Lets time pass until the engine has nothing left to do. */
    void settle() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        do {
            house.machine.advance(STEP);
            house.program().dispatcher().nudge();
            assertThat(System.nanoTime()).as("the time to settle").isLessThan(end);
        } while (!house.program().dispatcher().awaitSettled(GLANCE));
    }

    /** Lets the engine do what is due now, and no time pass. */
    void turn() throws InterruptedException {
        house.program().dispatcher().nudge();
        assertThat(house.program().dispatcher().awaitIdle(PATIENCE)).isTrue();
    }

    String service(Tenant tenant, String name) {
        return house.as(tenant.admin())
                .post(tenant.path("/services"), "{'name': '" + name + "', 'tags': [{'key': 'of', 'value': 'tests'}]}")
                .ok()
                .at("/service/id")
                .asString();
    }

    /** What an organization may have, each with what refers to it; gives the text of a token of its alerts interface. */
    String furnish(Tenant tenant) throws IOException, InterruptedException {
        ApiCaller admin = house.as(tenant.admin());
        String service = tenant.path("/services/" + service(tenant, "Events"));
        settle();
        service(tenant, "Second");
        settle();
        String role = admin.post(
                        tenant.path("/roles"),
                        "{'name': 'Keeper', 'policies': [{'allowDeny': 'ALLOW', 'permissions':"
                                + " ['control-plane:service:view'], 'resources': ['instance/"
                                + service.substring(service.lastIndexOf('/') + 1) + "']}]}")
                .ok()
                .path("id")
                .asString();
        String key = admin.post(tenant.path("/keys"), "{'name': 'Reader', 'assignedRoleIds': ['" + role + "']}")
                .ok()
                .at("/key/id")
                .asString();
        admin.post(tenant.path("/invitations"), "{'email': 'ada@example.org', 'role': 'developer'}")
                .ok();
        admin.post(tenant.path("/byocInfrastructure"), "{'regionId': 'eu-west-1', 'accountId': '123456789012'}")
                .ok();
        admin.post(service + "/privateEndpoint", "{'id': 'vpce-0c2d', 'description': 'Analytics'}")
                .ok();
        admin.post(service + "/clickpipes", """
                        {'name': 'Orders', 'source': {'kafka': {'format': 'JSONEachRow', 'brokers': 'b.example.org:9092',
                         'topics': 'orders', 'authentication': 'PLAIN',
                         'credentials': {'username': 'reader', 'password': 'not-for-others'}}},
                         'destination': {'table': 'orders', 'managedTable': true, 'tableDefinition': {'sortingKey': ['id']},
                         'columns': [{'name': 'id', 'type': 'UInt64'}]},
                         'fieldMappings': [{'sourceField': 'id', 'destinationField': 'id'}]}""").ok();
        admin.post(service + "/clickpipes", """
                        {'name': 'Shop', 'source': {'postgres': {'host': 'db.example.org', 'database': 'shop',
                         'credentials': {'username': 'reader', 'password': 'not-for-others'},
                         'tableMappings': [{'sourceSchemaName': 'public', 'sourceTable': 'orders',
                         'targetTable': 'orders'}]}}, 'destination': {'database': 'default'}}""").ok();
        admin.post(service + "/clickpipesReversePrivateEndpoints", """
                        {'description': 'To the broker', 'type': 'VPC_ENDPOINT_SERVICE',
                         'vpcEndpointServiceName': 'com.amazonaws.vpce.eu-west-1.vpce-svc-1'}""").ok();
        settle();
        admin.patch(service + "/clickpipesCdcScaling", "{'replicaCpuMillicores': 2000, 'replicaMemoryGb': 8}")
                .ok();
        admin.post(service + "/backupBucket", """
                        {'bucketProvider': 'GCP', 'bucketPath': 'https://storage.googleapis.com/ours/nightly',
                         'accessKeyId': 'GOOG1EXAMPLE', 'secretAccessKey': 'a-bucket-secret'}""").ok();
        admin.post(service + "/scalingSchedule", """
                        {'entries': [{'name': 'Days', 'weekdays': [1, 2, 3], 'startHourUtc': 8, 'endHourUtc': 18,
                         'minReplicaMemoryGb': 16, 'maxReplicaMemoryGb': 64}]}""").ok();
        admin.put(service + "/upgradeWindow", "{'weekday': 3, 'startHourUtc': 12}")
                .ok();
        admin.post(
                        service + "/serviceQueryEndpoint",
                        "{'roles': ['sql_console_read_only'], 'openApiKeys': ['" + key + "'],"
                                + " 'allowedOrigins': 'https://app.example.org'}")
                .ok();
        admin.post(service + "/backups", "{}").ok();
        String token = admin.post(tenant.path("/alertsTokens"), "{'name': 'Pager'}")
                .ok()
                .path("accessToken")
                .asString();
        String webhook =
                alerts(token, "POST", "/api/v2/webhooks", """
                        {"name": "On call", "service": "generic", "url": "https://hooks.example.org/on-call",
                         "headers": {"X-Team": "data"}}""").at("/data/id").asString();
        String dashboard =
                alerts(token, "POST", "/api/v2/dashboards", """
                        {"name": "Fleet", "tags": ["ops"], "tiles": [{"id": "stopped", "name": "Stopped", "x": 0, "y": 0,
                         "w": 6, "h": 4, "config": {"displayType": "number", "metric": "services", "aggregation": "last",
                         "filter": {"state": "stopped"}, "groupBy": "service"}}]}""").at("/data/id").asString();
        alerts(
                token,
                "POST",
                "/api/v2/alerts",
                "{\"name\": \"Stopped\", \"message\": \"It is.\", \"threshold\": 1, \"thresholdType\": \"above\","
                        + " \"interval\": \"1m\", \"dashboard\": \"" + dashboard
                        + "\", \"tileId\": \"stopped\", \"channel\": {\"type\": \"webhook\", \"webhookId\": \""
                        + webhook + "\"}}");
        settle();
        return token;
    }

    JsonNode alerts(String token, String method, String path, @Nullable String body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(house.program().alerts().resolve(path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).as("%s %s", method, path).isEqualTo(200);
        return ApiJson.read(answer.body());
    }

    /** Everything that an admin reads of an organization, by what it is. */
    Map<String, JsonNode> shown(Tenant tenant, String token) throws IOException, InterruptedException {
        ApiCaller admin = house.as(tenant.admin());
        Map<String, JsonNode> shown = new LinkedHashMap<>();
        for (String list : List.of(
                "", "/services", "/keys", "/roles", "/members", "/invitations", "/alertsTokens", "/activities")) {
            shown.put("organization" + list, admin.get(tenant.path(list)).ok());
        }
        Map<String, String> services = new TreeMap<>();
        shown.getOrDefault("organization/services", ApiJson.read("[]".getBytes(StandardCharsets.UTF_8)))
                .forEach(each -> services.put(
                        each.path("name").asString(), each.path("id").asString()));
        services.forEach((name, id) -> {
            for (String of : List.of(
                    "/clickpipes",
                    "/clickpipesReversePrivateEndpoints",
                    "/clickpipesCdcScaling",
                    "/backups",
                    "/backupConfiguration",
                    "/backupBucket",
                    "/scalingSchedule",
                    "/upgradeWindow",
                    "/serviceQueryEndpoint",
                    "/privateEndpointConfig")) {
                shown.put(
                        name + of,
                        admin.get(tenant.path("/services/" + id + of)).json().path("result"));
            }
        });
        for (String path : List.of("/api/v2/alerts", "/api/v2/webhooks", "/api/v2/dashboards")) {
            shown.put(path, alerts(token, "GET", path, null));
        }
        return shown;
    }
}
