package io.pilothouse.core.role;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Rights;
import io.pilothouse.core.right.Role;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Keeps an organization from locking itself out: where there is a key, or a member, that may do everything and lasts,
 * no change leaves it without one. Each sort is kept by itself, because only keys open this API and only members sign
 * in.
 */
public record Admins(Roles roles, List<RoleHolders> holders) {
    private static final Rights EVERYTHING = Rights.of(List.of(Role.ADMIN.policy()));

    /** Makes a change of who has which roles, or of what a role allows; refuses it if it takes the last admin. */
    public <T> T kept(Tables tables, UUID organizationId, Supplier<T> change) {
        List<RoleHolders> had = holders.stream()
                .filter(sort -> has(sort, tables, organizationId))
                .toList();
        T changed = change.get();
        for (RoleHolders sort : had) {
            if (!has(sort, tables, organizationId)) {
                throw new Refused(
                        Refused.Reason.CONFLICT,
                        "This would leave the organization without a " + sort.title()
                                + " that is an admin for good: make another one first");
            }
        }
        return changed;
    }

    private boolean has(RoleHolders sort, Tables tables, UUID organizationId) {
        return sort.all(tables, organizationId).stream()
                .filter(RoleHolders.Holder::lasting)
                .anyMatch(holder ->
                        roles.rights(tables, organizationId, holder.roles()).cover(EVERYTHING));
    }
}
