package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiCaller;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** What the policies of roles allow and deny, on all services and on single ones. */
class RightsTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();
    private final JsonNode mine = tenant.made("{'name': 'Mine'}");
    private final JsonNode other = tenant.made("{'name': 'Other'}");

    private static String instance(JsonNode service) {
        return "instance/" + service.path("id").asString();
    }

    private ApiCaller allowed(JsonNode on, String... words) {
        return tenant.having(tenant.newRole("On one", Tenant.policy("ALLOW", instance(on), words)));
    }

    private static List<String> names(ApiCaller caller, Tenant of) {
        return caller.get(of.services())
                .ok()
                .valueStream()
                .map(service -> service.path("name").asString())
                .toList();
    }

    @Test
    void aServiceThatARoleDoesNotNameIsNotThere() {
        ApiCaller caller = allowed(mine, "view", "manage", "view-backups");
        assertThat(names(caller, tenant)).containsExactly("Mine");
        caller.get(tenant.service(mine)).ok();
        caller.patch(tenant.service(mine), "{'name': 'Renamed'}").ok();
        caller.get(tenant.service(other)).refused(404, "NOT_FOUND");
        caller.patch(tenant.service(other), "{'name': 'Renamed'}").refused(404, "NOT_FOUND");
        caller.delete(tenant.service(other)).refused(404, "NOT_FOUND");
        caller.get(tenant.service(other) + "/backups").refused(404, "NOT_FOUND");
        assertThat(RefusalTest.withoutId(caller.get(tenant.service(other))))
                .isEqualTo(RefusalTest.withoutId(caller.get(tenant.service("00000000-0000-4000-8000-000000000000"))));
        assertThat(RefusalTest.withoutId(caller.get(
                        tenant.services() + "/" + other.path("id").asString().replace("-", "%2D"))))
                .isEqualTo(RefusalTest.withoutId(caller.get(tenant.service(other))));
    }

    @Test
    void aRightOnOneServiceMakesNoOther() {
        allowed(mine, "view", "manage").post(tenant.services(), "{}").refused(403, "FORBIDDEN");
        tenant.having(tenant.newRole("All", "manage"))
                .post(tenant.services(), "{}")
                .ok();
    }

    @Test
    void whatIsMissingOnAServiceThatOneSeesIsForbidden() {
        ApiCaller caller = allowed(mine, "view");
        caller.patch(tenant.service(mine), "{'name': 'X'}").refused(403, "FORBIDDEN");
        caller.get(tenant.service(mine) + "/backups").refused(403, "FORBIDDEN");
        caller.patch(tenant.service(mine) + "/password", "{}").refused(403, "FORBIDDEN");
        caller.get(tenant.path()).refused(403, "FORBIDDEN");
        caller.get(tenant.keys()).refused(403, "FORBIDDEN");
    }

    @Test
    void denyingWinsOverAllowing() {
        List<String> policies = new ArrayList<>(Tenant.policy("ALLOW", "instance/*", "view", "manage"));
        policies.addAll(Tenant.policy("DENY", instance(other), "delete"));
        ApiCaller caller = tenant.having(tenant.newRole("No deleting", policies));
        caller.patch(tenant.service(other), "{'name': 'X'}").ok();
        caller.delete(tenant.service(other)).refused(403, "FORBIDDEN");
        caller.delete(tenant.service(mine)).ok();
    }

    @Test
    void whatOneRoleDeniesNoOtherAllows() {
        JsonNode blind = tenant.newRole("Blind", Tenant.policy("DENY", instance(other), "view"));
        ApiCaller caller = tenant.having(tenant.newRole("All", "view", "manage"), blind);
        assertThat(names(caller, tenant)).containsExactly("Mine");
        caller.patch(tenant.service(other), "{'name': 'X'}").refused(404, "NOT_FOUND");
    }

    @Test
    void rightsOnPartsOfAServiceAreApart() {
        ApiCaller doorkeeper = allowed(mine, "manage-ip-access-list");
        doorkeeper
                .patch(tenant.service(mine), "{'ipAccessList': {'add': [{'source': '192.0.2.1'}]}}")
                .ok();
        doorkeeper.patch(tenant.service(mine), "{'name': 'X'}").refused(403, "FORBIDDEN");
        doorkeeper
                .patch(tenant.service(mine), "{'privateEndpointIds': {'add': ['vpce-1']}}")
                .refused(403, "FORBIDDEN");
        ApiCaller manager = allowed(mine, "manage");
        manager.patch(tenant.service(mine), "{'ipAccessList': {'add': [{'source': '192.0.2.2'}]}}")
                .refused(403, "FORBIDDEN");
        manager.patch(tenant.service(mine) + "/replicaScaling", "{'idleScaling': false}")
                .refused(403, "FORBIDDEN");
        allowed(mine, "manage-scaling-config")
                .patch(tenant.service(mine) + "/replicaScaling", "{'idleScaling': false}")
                .ok();
    }

    @Test
    void dataOfAServiceIsReachedByNoDetour() {
        ApiCaller caller = tenant.having(
                tenant.newRole("On one", Tenant.policy("ALLOW", instance(mine), "view", "manage")),
                tenant.newRole("Viewer", Tenant.policy("ALLOW", instance(other), "view")));
        JsonNode all = tenant.newRole("Maker", "manage");
        JsonNode denied = tenant.newRole("Blind", Tenant.policy("DENY", instance(other), "manage", "manage-backups"));
        String join = "{'dataWarehouseId': '" + other.path("dataWarehouseId").asString() + "'}";
        tenant.having(all, denied).post(tenant.services(), join).faultsAt("dataWarehouseId");
        tenant.having(all).post(tenant.services(), join).ok();
        caller.post(tenant.services(), join).refused(403, "FORBIDDEN");
        house.settle();
        JsonNode backup =
                tenant.admin().post(tenant.service(mine) + "/backups", "{}").ok();
        house.settle();
        String restore = "{'backupId': '" + backup.path("id").asString() + "'}";
        tenant.having(all).post(tenant.services(), restore).faultsAt("backupId");
        tenant.having(all, tenant.newRole("Backups", "manage-backups"))
                .post(tenant.services(), restore)
                .ok();
    }

    @Test
    void aChangeOfARoleHoldsFromTheNextRequestOn() {
        JsonNode role = tenant.newRole("Reader", "view");
        ApiCaller caller = tenant.having(role);
        String path = tenant.roles() + "/" + role.path("id").asString();
        caller.get(tenant.service(mine)).ok();
        tenant.admin().patch(path, "{'policies': []}").ok();
        caller.get(tenant.service(mine)).refused(403, "FORBIDDEN");
        String one = Tenant.policy("ALLOW", instance(mine), "view").getFirst();
        tenant.admin().patch(path, "{'policies': [" + one + "]}").ok();
        caller.get(tenant.service(mine)).ok();
        caller.get(tenant.service(other)).refused(404, "NOT_FOUND");
    }

    @Test
    void nobodyGivesOrTakesRightsThatTheyDoNotHave() {
        List<String> manages = Tenant.policy("ALLOW", "organization/" + tenant.id(), "manage", "create-api-keys");
        JsonNode role = tenant.newRole("Clerk", manages);
        ApiCaller clerk = tenant.having(role);
        String all = Tenant.policy("ALLOW", "instance/*", "view").getFirst();
        clerk.post(tenant.roles(), "{'name': 'Wide', 'policies': [" + all + "]}")
                .refused(403, "FORBIDDEN");
        clerk.post(tenant.keys(), "{'name': 'Up', 'roles': ['admin']}").refused(403, "FORBIDDEN");
        clerk.post(
                        tenant.keys(),
                        "{'name': 'Same', 'assignedRoleIds': ['"
                                + role.path("id").asString() + "']}")
                .ok();
        String path = tenant.roles() + "/" + role.path("id").asString();
        clerk.patch(path, "{'policies': [" + all + "]}").refused(403, "FORBIDDEN");
        JsonNode blind = tenant.newRole("Blind", Tenant.policy("DENY", "instance/*", "view"));
        clerk.delete(tenant.roles() + "/" + blind.path("id").asString()).refused(403, "FORBIDDEN");
        clerk.post(tenant.alertsTokens(), "{'name': 'Wide'}").refused(403, "FORBIDDEN");
    }
}
