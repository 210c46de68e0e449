package io.pilothouse.core.role;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.right.Grant;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Policy;
import io.pilothouse.core.right.Role;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What policies say, and which of them make no sense. */
class RolePoliciesTest {
    private static final UUID HOME = new UUID(1, 1);
    private static final UUID SERVICE = new UUID(2, 2);
    private static final String ORGANIZATION_VIEW = "control-plane:organization:view";
    private static final String SERVICE_VIEW = "control-plane:service:view";

    private static Tree.Members role(String allowDeny, List<String> permissions, String... resources) {
        Tree.Members policy = Tree.Members.NONE
                .with("allowDeny", new Tree.Text(allowDeny))
                .with("permissions", Tree.Items.texts(permissions))
                .with("resources", Tree.Items.texts(List.of(resources)));
        return Tree.Members.NONE.with("policies", new Tree.Items(List.of(policy)));
    }

    private static List<String> checked(Tree.Members role) {
        Faults faults = new Faults();
        RolePolicies.check(role, faults);
        return faults.list().stream().map(Fault::path).toList();
    }

    private static List<String> named(Tree.Members role) {
        Faults faults = new Faults();
        RolePolicies.checkNames(role, HOME, SERVICE::equals, faults);
        return faults.list().stream().map(Fault::path).toList();
    }

    @Test
    void aPolicyIsAboutTheOrganizationOrAboutServices() {
        assertThat(checked(role("ALLOW", List.of(SERVICE_VIEW), "instance/*"))).isEmpty();
        assertThat(checked(role("ALLOW", List.of(ORGANIZATION_VIEW), "organization/" + HOME)))
                .isEmpty();
        assertThat(checked(role("ALLOW", List.of(SERVICE_VIEW, ORGANIZATION_VIEW), "instance/*")))
                .containsExactly("policies[0].permissions");
        assertThat(checked(role("ALLOW", List.of(SERVICE_VIEW), "instance/*", "organization/" + HOME)))
                .containsExactly("policies[0].resources[1]");
        assertThat(checked(role("ALLOW", List.of(ORGANIZATION_VIEW), "instance/*")))
                .containsExactly("policies[0].resources[0]");
        assertThat(checked(role("ALLOW", List.of("nonsense"), "instance/*"))).isEmpty();
    }

    @Test
    void itNamesTheOwnOrganizationAndServicesThatAreThere() {
        assertThat(named(role("ALLOW", List.of(), "organization/" + HOME, "instance/*", "instance/" + SERVICE)))
                .isEmpty();
        assertThat(named(role("ALLOW", List.of(), "organization/" + SERVICE, "instance/" + HOME)))
                .containsExactly("policies[0].resources[0]", "policies[0].resources[1]");
    }

    @Test
    void itAllowsOrDeniesWhatItsWordsMean() {
        assertThat(RolePolicies.of(role("ALLOW", List.of(SERVICE_VIEW, "nonsense"), "instance/" + SERVICE)))
                .containsExactly(new Policy(
                        true, Set.of(Permission.SERVICE_READ, Permission.PIPE_READ), false, Set.of(SERVICE)));
        Policy denial = RolePolicies.of(role("DENY", List.of(SERVICE_VIEW), "instance/*"))
                .getFirst();
        assertThat(denial.allows()).isFalse();
        assertThat(denial.everywhere()).isTrue();
        assertThat(denial.permissions()).contains(Permission.SERVICE_DELETE);
        assertThat(denial.reach().allows()).isTrue();
        Policy home = RolePolicies.of(role("ALLOW", List.of(ORGANIZATION_VIEW), "organization/" + HOME))
                .getFirst();
        assertThat(home.everywhere()).isTrue();
        assertThat(RolePolicies.services(role("DENY", List.of(), "instance/" + SERVICE, "instance/*")))
                .containsExactly(SERVICE);
    }

    @Test
    void aRoleOfEveryOrganizationIsShownByItsPolicies() {
        assertThat(RolePolicies.shown(Role.ADMIN.grants(), HOME).values()).hasSize(2);
        assertThat(RolePolicies.shown(List.of(Grant.SERVICE_VIEW), HOME).values())
                .isEqualTo(role("ALLOW", List.of(SERVICE_VIEW), "instance/*").items("policies"));
        assertThat(RolePolicies.shown(Role.BILLING.grants(), HOME).values()).hasSize(1);
    }
}
