package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.right.Role;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiJson;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Roles as things: those that every organization has, its own, and who has them. */
class RoleTest {
    private static final String KEEPER = """
            {'name': 'Keeper', 'actors': [], 'policies': [
              {'allowDeny': 'ALLOW', 'permissions': ['control-plane:service:view'], 'resources': ['instance/*']},
              {'allowDeny': 'DENY', 'permissions': ['control-plane:service:delete'], 'resources': ['instance/*'],
               'tags': {'roleV2': 'sql-console-readonly'}}]}""";

    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private String path(JsonNode role) {
        return tenant.roles() + "/" + role.path("id").asString();
    }

    private JsonNode get(JsonNode role) {
        return tenant.admin().get(path(role)).ok();
    }

    private JsonNode listed(String name) {
        return tenant.admin()
                .get(tenant.roles())
                .ok()
                .valueStream()
                .filter(role -> role.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String apiKey(JsonNode newKey) {
        return "apiKey/" + newKey.at("/key/id").asString();
    }

    private List<String> roleNames(JsonNode newKey) {
        return tenant.admin()
                .get(tenant.keys() + "/" + newKey.at("/key/id").asString())
                .ok()
                .path("assignedRoles")
                .valueStream()
                .map(role -> role.path("roleName").asString())
                .toList();
    }

    @Test
    void everyOrganizationHasTheSystemRolesAndNobodyChangesThem() {
        JsonNode member = listed("Member");
        assertThat(member.path("type").asString()).isEqualTo("system");
        assertThat(get(member)).isEqualTo(member);
        assertThat(tenant.admin().get(tenant.roles()).ok()).hasSize(Role.values().length);
        tenant.admin().patch(path(member), "{'name': 'Other'}").faultsAt("path.roleId");
        tenant.admin().patch(path(member), "{'policies': []}").ok();
        tenant.admin().patch(path(listed("Admin")), "{'policies': []}").faultsAt("path.roleId");
        tenant.admin().delete(path(member)).faultsAt("path");
        ApiJson.assertSame(listed("Service reader").at("/policies/0/resources"), "['instance/*']");
    }

    @Test
    void aRoleIsMadeChangedAndDeleted() {
        JsonNode made = tenant.admin().post(tenant.roles(), KEEPER).ok();
        assertThat(made.path("type").asString()).isEqualTo("custom");
        assertThat(made.path("tenantId").asString()).isEqualTo("organization/" + tenant.id());
        ApiJson.assertSame(made.at("/policies/1/tags"), "{'roleV2': 'sql-console-readonly'}");
        assertThat(made.at("/policies/0").has("tags")).isFalse();
        assertThat(get(made)).isEqualTo(made);
        JsonNode renamed = tenant.admin().patch(path(made), "{'name': 'Guard'}").ok();
        assertThat(renamed.path("name").asString()).isEqualTo("Guard");
        assertThat(renamed.path("policies")).isEqualTo(made.path("policies"));
        assertThat(tenant.admin().patch(path(made), "{'policies': []}").ok().path("policies"))
                .isEmpty();
        tenant.admin().delete(path(made)).ok();
        tenant.admin().get(path(made)).refused(404, "NOT_FOUND");
    }

    @Test
    void actorsAndTheRestAreChangedApart() {
        JsonNode role = tenant.admin().post(tenant.roles(), KEEPER).ok();
        JsonNode key = tenant.newKey("query_endpoints");
        JsonNode given = tenant.admin()
                .patch(path(role), "{'actors': ['" + apiKey(key) + "']}")
                .ok();
        ApiJson.assertSame(given.path("actors"), "['" + apiKey(key) + "']");
        assertThat(given.path("policies")).isEqualTo(role.path("policies"));
        assertThat(roleNames(key)).containsExactly("Basic service API reader", "Keeper");
        JsonNode renamed = tenant.admin().patch(path(role), "{'name': 'Guard'}").ok();
        assertThat(renamed.path("actors")).isEqualTo(given.path("actors"));
        assertThat(tenant.admin().patch(path(role), "{'actors': []}").ok().path("actors"))
                .isEmpty();
        assertThat(roleNames(key)).containsExactly("Basic service API reader");
    }

    @Test
    void aSystemRoleIsAssignedByItsActors() {
        JsonNode key = tenant.newKey("query_endpoints");
        ApiCaller caller = tenant.with(key);
        caller.get(tenant.services()).refused(403, "FORBIDDEN");
        tenant.admin()
                .patch(path(listed("Service reader")), "{'actors': ['" + apiKey(key) + "']}")
                .ok();
        caller.get(tenant.services()).ok();
        tenant.admin().patch(path(listed("Service reader")), "{'actors': []}").ok();
        caller.get(tenant.services()).refused(403, "FORBIDDEN");
    }

    @Test
    void aDeletedRoleIsTakenFromAllWhoHaveIt() {
        JsonNode role = tenant.newRole("Reader", "view");
        JsonNode key = tenant.admin()
                .post(
                        tenant.keys(),
                        "{'name': 'K', 'assignedRoleIds': ['" + role.path("id").asString() + "']}")
                .ok();
        ApiCaller caller = tenant.with(key);
        caller.get(tenant.services()).ok();
        tenant.admin().delete(path(role)).ok();
        caller.get(tenant.services()).refused(403, "FORBIDDEN");
        assertThat(roleNames(key)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'permissions': ['control-plane:service:fly'], 'resources': ['instance/*'] | policies[0].permissions[0]",
                "'permissions': ['control-plane:service:view', 'control-plane:organization:view'], 'resources': ['instance/*'] | policies[0].permissions",
                "'permissions': ['control-plane:service:view'], 'resources': ['organization/{org}'] | policies[0].resources[0]",
                "'permissions': ['control-plane:organization:view'], 'resources': ['instance/*'] | policies[0].resources[0]",
                "'permissions': ['control-plane:organization:view'], 'resources': ['organization/*'] | policies[0].resources[0]",
                "'permissions': ['control-plane:organization:view'], 'resources': ['organization/00000000-0000-4000-8000-000000000000'] | policies[0].resources[0]",
                "'permissions': ['control-plane:service:view'], 'resources': ['instance/00000000-0000-4000-8000-000000000000'] | policies[0].resources[0]",
                "'permissions': [], 'resources': ['instance/*'] | policies[0].permissions",
                "'permissions': ['control-plane:service:view'] | policies[0].resources"
            })
    void aPolicyThatMeansNothingIsRefusedByItsPath(String policy, String path) {
        String body =
                "{'name': 'Odd', 'policies': [{'allowDeny': 'ALLOW', " + policy.replace("{org}", tenant.id()) + "}]}";
        assertThat(tenant.admin().post(tenant.roles(), body).faults()).containsKey(path);
    }

    @Test
    void actorsAreThoseOfTheOrganization() {
        JsonNode stranger = house.tenant().newKey("developer");
        JsonNode role = tenant.newRole("Reader", "view");
        tenant.admin()
                .patch(path(role), "{'actors': ['" + apiKey(stranger) + "']}")
                .faultsAt("actors[0]");
        tenant.admin().patch(path(role), "{'actors': ['robot/1']}").faultsAt("actors[0]");
        tenant.admin()
                .post(tenant.keys(), "{'name': 'K', 'assignedRoleIds': ['" + tenant.id() + "']}")
                .faultsAt("assignedRoleIds[0]");
    }

    @Test
    void twoRolesOfOneNameAreAConflict() {
        tenant.admin().post(tenant.roles(), KEEPER).ok();
        tenant.admin().post(tenant.roles(), KEEPER).refused(409, "CONFLICT");
        tenant.admin().post(tenant.roles(), "{'name': 'member'}").refused(409, "CONFLICT");
    }

    @Test
    void theLastAdminKeyIsKept() {
        String self = tenant.keys() + "/"
                + tenant.admin().get(tenant.keys()).ok().at("/0/id").asString();
        tenant.admin().patch(self, "{'roles': ['developer']}").refused(409, "CONFLICT");
        tenant.admin().patch(self, "{'expireAt': '2090-01-01T00:00:00Z'}").refused(409, "CONFLICT");
        tenant.admin().patch(path(listed("Admin")), "{'actors': []}").refused(409, "CONFLICT");
        String denial =
                Tenant.policy("DENY", "organization/" + tenant.id(), "manage").getFirst();
        tenant.admin()
                .post(
                        tenant.roles(),
                        "{'name': 'No', 'actors': ['apiKey/" + self.replaceAll(".*/", "") + "'], 'policies': [" + denial
                                + "]}")
                .refused(409, "CONFLICT");
        ApiCaller other = tenant.as("admin");
        other.patch(self, "{'roles': ['developer']}").ok();
    }
}
