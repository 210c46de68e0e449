package io.pilothouse.core.right;

import static io.pilothouse.core.right.Permission.BACKUP_READ;
import static io.pilothouse.core.right.Permission.BACKUP_WRITE;
import static io.pilothouse.core.right.Permission.ORGANIZATION_READ;
import static io.pilothouse.core.right.Permission.SERVICE_LIST;
import static io.pilothouse.core.right.Permission.SERVICE_READ;
import static io.pilothouse.core.right.Permission.SERVICE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Refused;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** How policies add up, and what follows for a caller. */
class RightsTest {
    private static final UUID HOME = new UUID(1, 0);
    private static final UUID ONE = new UUID(1, 1);
    private static final UUID TWO = new UUID(1, 2);
    private static final UUID REQUEST = new UUID(1, 3);

    private static Policy allow(Set<Permission> permissions, UUID... services) {
        return new Policy(true, permissions, services.length == 0, Set.of(services));
    }

    private static Policy deny(Set<Permission> permissions, UUID... services) {
        return new Policy(false, permissions, services.length == 0, Set.of(services));
    }

    private static Rights rights(Policy... policies) {
        return Rights.of(List.of(policies));
    }

    private static void refused(Refused.Reason reason, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
    }

    @Test
    void allowancesAddUpAndDenialsWin() {
        Rights rights = rights(
                allow(Set.of(SERVICE_READ, SERVICE_WRITE, ORGANIZATION_READ)),
                allow(Set.of(BACKUP_READ), ONE),
                deny(Set.of(SERVICE_WRITE), ONE),
                deny(Set.of(ORGANIZATION_READ)));
        assertThat(rights.everywhere()).containsExactlyInAnyOrder(SERVICE_LIST, SERVICE_READ, SERVICE_WRITE);
        assertThat(rights.on(ONE)).containsExactlyInAnyOrder(SERVICE_READ, BACKUP_READ);
        assertThat(rights.on(TWO)).contains(SERVICE_WRITE);
    }

    @Test
    void whatIsDeniedEverywhereIsDeniedOnEveryService() {
        Rights rights = rights(allow(Set.of(BACKUP_READ, SERVICE_READ), ONE), deny(Set.of(BACKUP_READ)));
        assertThat(rights.on(ONE)).containsExactly(SERVICE_READ);
        assertThat(rights.everywhere()).containsExactly(SERVICE_LIST);
        assertThat(rights(allow(Set.of(BACKUP_READ), ONE)).everywhere()).isEmpty();
    }

    @Test
    void rightsCoverOthersThatGoNoFurtherAnywhere() {
        Rights all = rights(allow(Set.of(SERVICE_READ, SERVICE_WRITE, ORGANIZATION_READ)));
        Rights butOne = rights(allow(Set.of(SERVICE_READ, SERVICE_WRITE)), deny(Set.of(SERVICE_WRITE), ONE));
        Rights onlyOne = rights(allow(Set.of(SERVICE_READ, SERVICE_WRITE), ONE));
        assertThat(all.cover(butOne)).isTrue();
        assertThat(butOne.cover(all)).isFalse();
        assertThat(all.cover(onlyOne)).isTrue();
        assertThat(butOne.cover(onlyOne)).isFalse();
        assertThat(onlyOne.cover(butOne)).isFalse();
        assertThat(butOne.cover(rights(allow(Set.of(SERVICE_READ, SERVICE_WRITE)))))
                .isFalse();
        assertThat(onlyOne.cover(Rights.NONE)).isTrue();
    }

    @Test
    void aServiceOnWhichNothingIsAllowedIsNotThere() {
        Caller caller = new Caller(HOME, ONE, "key", rights(allow(Set.of(BACKUP_READ), ONE)));
        assertThat(caller.permitOn(ONE, BACKUP_READ, HOME, REQUEST).permission())
                .isEqualTo(BACKUP_READ);
        refused(Refused.Reason.NOT_FOUND, () -> caller.permitOn(TWO, BACKUP_READ, HOME, REQUEST));
        refused(Refused.Reason.FORBIDDEN, () -> caller.permitOn(ONE, BACKUP_WRITE, HOME, REQUEST));
        refused(Refused.Reason.FORBIDDEN, () -> caller.permitOn(TWO, BACKUP_WRITE, HOME, REQUEST));
        refused(Refused.Reason.NOT_FOUND, () -> caller.permitOn(ONE, BACKUP_READ, TWO, REQUEST));
        refused(Refused.Reason.FORBIDDEN, () -> caller.permit(BACKUP_READ, HOME, REQUEST));
    }

    @Test
    void aServiceThatAPolicyHidesIsNotThere() {
        Rights rights = rights(allow(Set.of(SERVICE_READ)), deny(Set.of(SERVICE_READ), ONE));
        Caller caller = new Caller(HOME, ONE, "key", rights);
        refused(Refused.Reason.NOT_FOUND, () -> caller.permitOn(ONE, SERVICE_READ, HOME, REQUEST));
        assertThat(rights.sees(TWO)).isTrue();
    }

    @Test
    void whatIsSeenButNotAllowedIsForbidden() {
        Rights rights = rights(allow(Set.of(SERVICE_READ)), allow(Set.of(BACKUP_READ), ONE));
        Caller caller = new Caller(HOME, ONE, "key", rights);
        refused(Refused.Reason.FORBIDDEN, () -> caller.permitOn(TWO, BACKUP_READ, HOME, REQUEST));
    }

    @Test
    void aPermitAsksForMoreOnItsOwnService() {
        Rights rights = rights(allow(Set.of(SERVICE_READ, ORGANIZATION_READ)), allow(Set.of(BACKUP_READ), ONE));
        Permit one = new Caller(HOME, ONE, "key", rights).permitOn(ONE, SERVICE_READ, HOME, REQUEST);
        one.require(BACKUP_READ);
        one.require(ORGANIZATION_READ);
        refused(Refused.Reason.FORBIDDEN, () -> one.require(BACKUP_WRITE));
        assertThat(one.allows(BACKUP_READ, ONE)).isTrue();
        assertThat(one.allows(BACKUP_READ, TWO)).isFalse();
        Permit any = new Caller(HOME, ONE, "key", rights).permit(SERVICE_READ, REQUEST);
        refused(Refused.Reason.FORBIDDEN, () -> any.require(BACKUP_READ));
    }

    @Test
    void everyRoleIsShownByThePermissionsThatItHasWhole() {
        assertThat(Role.MEMBER.grants()).isEmpty();
        assertThat(Role.BILLING.grants()).containsExactly(Grant.VIEW_BILLING, Grant.MANAGE_BILLING);
        assertThat(Role.DEVELOPER.grants())
                .contains(Grant.MANAGE_BACKUPS, Grant.SERVICE_VIEW)
                .doesNotContain(Grant.SERVICE_MANAGE, Grant.MANAGE_CLICKPIPES);
        assertThat(Role.MEMBER.hasWord()).isFalse();
        assertThat(Role.find("member")).isEmpty();
        for (Role role : Role.values()) {
            assertThat(Role.findById(role.id())).contains(role);
        }
    }

    @Test
    void aGrantIsFoundByItsWord() {
        for (Grant grant : Grant.values()) {
            assertThat(Grant.find(grant.word())).contains(grant);
            assertThat(grant.isOnServices()).isEqualTo(!grant.word().matches(".*:(organization|support):.*"));
        }
        assertThat(Grant.find("all")).isEmpty();
        assertThat(Grant.VIEW_BACKUPS.permissions(false)).contains(BACKUP_WRITE);
    }

    @Test
    void assignedRolesAreThoseOfEveryOrganizationAndItsOwn() {
        AssignedRoles roles = AssignedRoles.ofIds(List.of(ONE, Role.ADMIN.id(), ONE));
        assertThat(roles).isEqualTo(new AssignedRoles(List.of(Role.ADMIN), List.of(ONE)));
        assertThat(roles.with(TWO).ids()).containsExactly(Role.ADMIN.id(), ONE, TWO);
        assertThat(roles.without(ONE)).isEqualTo(AssignedRoles.of(List.of(Role.ADMIN)));
        assertThat(roles.without(Role.ADMIN.id()).system()).isEmpty();
    }

    @Test
    void everybodyMayAskWhoItIsAndRunQueries() {
        Caller caller = new Caller(HOME, ONE, "key", Rights.NONE);
        assertThat(caller.may(Permission.IDENTITY_READ)).isTrue();
        assertThat(caller.may(Permission.QUERY_RUN)).isTrue();
        assertThat(caller.may(ORGANIZATION_READ)).isFalse();
    }

    @Test
    void aRefusalSaysWhoseRolesDoNotAllowIt() {
        Rights none = rights();
        Caller key = new Caller(HOME, ONE, "deploy", none);
        Caller member = new Caller(HOME, ONE, "ada@example.org", none, TWO);
        assertThat(key.forbidden(SERVICE_WRITE)).hasMessage("This key's roles do not allow service_write");
        assertThat(member.forbidden(SERVICE_WRITE)).hasMessage("This member's roles do not allow service_write");
    }
}
