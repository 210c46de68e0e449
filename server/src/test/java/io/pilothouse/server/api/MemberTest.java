package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.right.Role;
import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiJson;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The people of an organization, from the first on, and how others join. */
class MemberTest {
    private static final String ACCEPT = "/v1/invitations/accept";

    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private JsonNode members() {
        return tenant.admin().get(tenant.members()).ok();
    }

    private String path(JsonNode member) {
        return tenant.members() + "/" + member.path("userId").asString();
    }

    private JsonNode invite(String email) {
        return tenant.admin()
                .post(tenant.invitations(), "{'email': '" + email + "'}")
                .ok();
    }

    private static ApiAnswer accept(JsonNode invitation) {
        return house.nobody()
                .inACrowd()
                .post(ACCEPT, "{'token': '" + invitation.path("token").asString() + "', 'name': 'Ada'}");
    }

    private static List<String> roles(JsonNode person) {
        return person.path("assignedRoles")
                .valueStream()
                .map(role -> role.path("roleName").asString())
                .toList();
    }

    @Test
    void everyOrganizationBeginsWithAnAdmin() {
        JsonNode first = members().path(0);
        assertThat(members()).hasSize(1);
        assertThat(first.path("email").asString()).isEqualTo("admin@pilothouse.internal");
        assertThat(roles(first)).containsExactly("Admin");
        ApiJson.assertSame(first.path("role"), "'admin'");
        JsonNode home = house.root()
                .get("/v1/organizations/" + house.homeId() + "/members")
                .ok()
                .path(0);
        assertThat(home.path("userId")).isEqualTo(first.path("userId"));
    }

    @Test
    void thePersonWhoIsInvitedJoinsWithTheToken() {
        JsonNode invitation = tenant.admin()
                .post(tenant.invitations(), "{'email': 'Ada@Example.org', 'role': 'developer'}")
                .ok();
        ApiJson.assertSame(invitation.path("email"), "'ada@example.org'");
        String path = tenant.invitations() + "/" + invitation.path("id").asString();
        assertThat(tenant.admin().get(path).ok().has("token")).isFalse();
        JsonNode joined = accept(invitation).ok();
        assertThat(roles(joined)).containsExactly("Developer");
        assertThat(joined.path("signInSecret").asString()).hasSizeGreaterThan(40);
        ((ObjectNode) joined).remove("signInSecret");
        assertThat(tenant.admin().get(path(joined)).ok()).isEqualTo(joined);
        assertThat(members()).hasSize(2);
        tenant.admin().get(path).refused(404, "NOT_FOUND");
        accept(invitation).refused(404, "NOT_FOUND");
        tenant.admin()
                .post(tenant.invitations(), "{'email': 'ADA@example.org'}")
                .refused(409, "CONFLICT");
        assertThat(tenant.admin()
                        .get(tenant.path() + "/activities")
                        .ok()
                        .valueStream()
                        .map(line -> line.path("type").asString()))
                .contains("organization_invite_create", "organization_member_join");
    }

    @Test
    void onePersonHasOneIdInEveryOrganization() {
        JsonNode here = accept(invite("ada@example.org")).ok();
        Tenant other = house.tenant();
        JsonNode there = accept(other.admin()
                        .post(other.invitations(), "{'email': 'ada@example.org'}")
                        .ok())
                .ok();
        assertThat(there.path("userId")).isEqualTo(here.path("userId"));
        assertThat(roles(there)).containsExactly("Member");
    }

    @Test
    void aTokenIsGoodForAWeekAndUntilItIsWithdrawn() {
        JsonNode late = invite("late@example.org");
        JsonNode withdrawn = invite("gone@example.org");
        tenant.admin()
                .delete(tenant.invitations() + "/" + withdrawn.path("id").asString())
                .ok();
        accept(withdrawn).refused(404, "NOT_FOUND");
        house.advance(Duration.ofDays(7));
        accept(late).refused(404, "NOT_FOUND");
        assertThat(members()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "00000000-0000-4000-8000-000000000000",
                "00000000-0000-4000-8000-000000000000.x",
                "not-a-uuid-of-thirty-six-characters-"
            })
    void aTokenThatWasNeverShownIsRefused(String token) {
        house.nobody().post(ACCEPT, "{'token': '" + token + "'}").refused(404, "NOT_FOUND");
    }

    @Test
    void aChangedTokenIsRefused() {
        JsonNode invitation = invite("ada@example.org");
        String token = invitation.path("token").asString();
        String other = token.substring(0, 37) + (token.charAt(37) == 'A' ? 'B' : 'A') + token.substring(38);
        house.nobody().post(ACCEPT, "{'token': '" + other + "'}").refused(404, "NOT_FOUND");
        house.nobody().post(ACCEPT, "{}").faultsAt("token");
        house.nobody().post(ACCEPT, "{'token': 5, 'name': ''}").faultsAt("token", "name");
    }

    @Test
    void theRolesOfAMemberAreChangedAndReadBack() {
        JsonNode ada = accept(invite("ada@example.org")).ok();
        JsonNode custom = tenant.newRole("Reader", "view");
        String both = "{'assignedRoleIds': ['" + Role.BILLING.id() + "', '"
                + custom.path("id").asString() + "']}";
        JsonNode changed = tenant.admin().patch(path(ada), both).ok();
        assertThat(roles(changed))
                .containsExactly("Billing", custom.path("name").asString());
        assertThat(tenant.admin().get(path(ada)).ok()).isEqualTo(changed);
        assertThat(tenant.admin().patch(path(ada), "{}").ok()).isEqualTo(changed);
        String role = tenant.roles() + "/" + custom.path("id").asString();
        ApiJson.assertSame(
                tenant.admin().get(role).ok().path("actors"),
                "['user/" + ada.path("userId").asString() + "']");
        tenant.admin().delete(role).ok();
        assertThat(roles(tenant.admin().get(path(ada)).ok())).containsExactly("Billing");
        assertThat(roles(
                        tenant.admin().patch(path(ada), "{'role': 'developer'}").ok()))
                .containsExactly("Developer");
        tenant.admin().delete(path(ada)).ok();
        tenant.admin().get(path(ada)).refused(404, "NOT_FOUND");
    }

    @Test
    void theLastAdminAmongMembersIsKept() {
        JsonNode first = members().path(0);
        tenant.admin().delete(path(first)).refused(409, "CONFLICT");
        tenant.admin().patch(path(first), "{'role': 'developer'}").refused(409, "CONFLICT");
        String admins = tenant.roles() + "/" + Role.ADMIN.id();
        JsonNode key = tenant.admin().get(tenant.keys()).ok().path(0);
        tenant.admin()
                .patch(admins, "{'actors': ['apiKey/" + key.path("id").asString() + "']}")
                .refused(409, "CONFLICT");
        JsonNode ada = accept(invite("ada@example.org")).ok();
        tenant.admin().patch(path(ada), "{'role': 'admin'}").ok();
        tenant.admin().delete(path(first)).ok();
    }

    @Test
    void whatIsWrongWithAnInvitationIsSaidByItsPath() {
        tenant.admin().post(tenant.invitations(), "{}").faultsAt("email");
        tenant.admin().post(tenant.invitations(), "{'email': 'ada'}").faultsAt("email");
        tenant.admin()
                .post(tenant.invitations(), "{'email': 'a@b', 'assignedRoleIds': ['x']}")
                .faultsAt("assignedRoleIds[0]");
        tenant.admin()
                .post(
                        tenant.invitations(),
                        "{'email': 'a@b', 'role': 'developer', 'assignedRoleIds': ['" + Role.ADMIN.id() + "']}")
                .faultsAt("assignedRoleIds");
        tenant.admin()
                .post(tenant.invitations(), "{'email': 'a@b', 'assignedRoleIds': ['" + tenant.id() + "']}")
                .faultsAt("assignedRoleIds[0]");
        invite("ada@example.org");
        tenant.admin()
                .post(tenant.invitations(), "{'email': 'Ada@example.org'}")
                .refused(409, "CONFLICT");
    }
}
