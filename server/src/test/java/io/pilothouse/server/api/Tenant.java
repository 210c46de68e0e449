package io.pilothouse.server.api;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiCredentials;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** One organization of a test's own, its first key, and the paths of what it has. */
record Tenant(House house, String id, ApiCaller admin) {
    String path() {
        return "/v1/organizations/" + id;
    }

    String services() {
        return path() + "/services";
    }

    String service(String serviceId) {
        return services() + "/" + serviceId;
    }

    String service(JsonNode service) {
        return service(service.path("id").asString());
    }

    String keys() {
        return path() + "/keys";
    }

    /** The same organization, whose first key writes without being held against the history. */
    Tenant inACrowd() {
        return new Tenant(house, id, admin.inACrowd());
    }

    ApiAnswer create(String body) {
        return admin.post(services(), body);
    }

    /** A service that was accepted. */
    JsonNode made(String body) {
        return create(body).ok().path("service");
    }

    /** A service that runs, as pipes need one. */
    JsonNode running() {
        JsonNode service = made("{}");
        house.settle();
        return get(service);
    }

    String pipes(JsonNode service) {
        return service(service) + "/clickpipes";
    }

    /** The path of a pipe that is made. */
    String pipe(JsonNode service, String body) {
        return pipes(service) + "/"
                + admin().post(pipes(service), body).ok().path("id").asString();
    }

    String routes(JsonNode service) {
        return service(service) + "/clickpipesReversePrivateEndpoints";
    }

    JsonNode get(JsonNode service) {
        return admin.get(service(service)).ok();
    }

    ApiAnswer update(JsonNode service, String body) {
        return admin.patch(service(service), body);
    }

    ApiAnswer command(JsonNode service, String command) {
        return admin.patch(service(service) + "/state", "{'command': '" + command + "'}");
    }

    ApiAnswer delete(JsonNode service) {
        return admin.delete(service(service));
    }

    JsonNode organization() {
        return admin.get(path()).ok();
    }

    /** The answer that made another key with these roles. */
    JsonNode newKey(String... roles) {
        String list = Arrays.stream(roles).map(role -> "'" + role + "'").collect(Collectors.joining(", "));
        return admin.post(keys(), "{'name': 'Another', 'roles': [" + list + "]}")
                .ok();
    }

    String alertsTokens() {
        return path() + "/alertsTokens";
    }

    String byoc() {
        return path() + "/byocInfrastructure";
    }

    /** A region of its own account, in Ireland. */
    JsonNode newByoc() {
        return admin.post(byoc(), "{'regionId': 'eu-west-1', 'accountId': '123456789012'}")
                .ok();
    }

    String invitations() {
        return path() + "/invitations";
    }

    String members() {
        return path() + "/members";
    }

    /** The answer that invited somebody as a developer. */
    JsonNode newInvitation() {
        String email = UUID.randomUUID() + "@example.org";
        return admin.post(invitations(), "{'email': '" + email + "', 'role': 'developer'}")
                .ok();
    }

    /** Somebody who was invited, and has joined. */
    JsonNode newMember() {
        String token = newInvitation().path("token").asString();
        return house.nobody()
                .inACrowd()
                .post("/v1/invitations/accept", "{'token': '" + token + "', 'name': 'Ada'}")
                .ok();
    }

    /** The answer that made another token of the alerts interface. */
    JsonNode newAlertsToken() {
        return admin.post(alertsTokens(), "{'name': 'Another'}").ok();
    }

    /** A caller of the alerts interface with a token of its own. */
    ApiCaller alerts() {
        return alertsWith(newAlertsToken());
    }

    ApiCaller alertsWith(JsonNode newToken) {
        return house.alertsAs(ApiCredentials.bearer(newToken.path("accessToken").asString()));
    }

    ApiCaller with(JsonNode newKey) {
        return house.as(ApiCredentials.basic(
                newKey.path("keyId").asString(), newKey.path("keySecret").asString()));
    }

    String roles() {
        return path() + "/roles";
    }

    /** A role that allows these on every service, in the words that follow {@code control-plane:service:}. */
    JsonNode newRole(String name, String... words) {
        return newRole(name, policy("ALLOW", "instance/*", words));
    }

    JsonNode newRole(String name, List<String> policies) {
        return admin.post(
                        roles(),
                        "{'name': '%s %s', 'policies': [%s]}"
                                .formatted(name, UUID.randomUUID(), String.join(", ", policies)))
                .ok();
    }

    static List<String> policy(String allowDeny, String resource, String... words) {
        String scope = resource.startsWith("organization/") ? "organization" : "service";
        String list = Arrays.stream(words)
                .map(word -> "'control-plane:" + scope + ":" + word + "'")
                .collect(Collectors.joining(", "));
        return List.of(
                "{'allowDeny': '%s', 'permissions': [%s], 'resources': ['%s']}".formatted(allowDeny, list, resource));
    }

    /** A caller whose key has these roles, named by their ids, and no other. */
    ApiCaller having(JsonNode... roles) {
        String ids = Arrays.stream(roles)
                .map(role -> "'" + role.path("id").asString() + "'")
                .collect(Collectors.joining(", "));
        return with(admin.post(keys(), "{'name': 'Custom', 'assignedRoleIds': [" + ids + "]}")
                .ok());
    }

    /** A caller with a key of its own. */
    ApiCaller as(String... roles) {
        return with(newKey(roles));
    }
}
