package io.pilothouse.core.member;

import io.pilothouse.core.item.Item;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationFollower;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.role.Admins;
import io.pilothouse.core.role.Roles;
import java.time.Instant;
import java.util.List;

/** The person that every organization begins with: its admin, who invites the others. */
public record FirstMember(String email, String name) implements OrganizationFollower {
    @Override
    public void made(Tables tables, Organization organization, Instant now) {
        MemberKind members = new MemberKind(new Admins(new Roles(), List.of()));
        tables.of(Item.KIND)
                .insert(members.joining(
                        organization.id(), email, name, AssignedRoles.of(List.of(Role.ADMIN)), null, now));
    }
}
