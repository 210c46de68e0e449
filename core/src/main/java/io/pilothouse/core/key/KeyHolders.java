package io.pilothouse.core.key;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.role.RoleHolders;
import io.pilothouse.core.role.Roles;
import java.util.List;
import java.util.UUID;

/** Keys as those who have roles. */
public final class KeyHolders implements RoleHolders {
    private final ActivityLog log;

    public KeyHolders(Clock clock) {
        this.log = new ActivityLog(clock);
    }

    @Override
    public String word() {
        return "apiKey";
    }

    @Override
    public String title() {
        return "key";
    }

    @Override
    public List<Holder> all(Tables tables, UUID organizationId) {
        return tables.of(ApiKey.KIND).page(organizationId, null, RuleBook.MAX_KEYS).stream()
                .map(key -> new Holder(key.id(), key.roles(), key.enabled() && key.expireAt() == null))
                .toList();
    }

    @Override
    public void give(Tables tables, Permit permit, UUID id, AssignedRoles roles) {
        tables.of(ApiKey.KIND).find(permit.organizationId(), id).ifPresent(key -> {
            tables.of(ApiKey.KIND)
                    .overwrite(key.with(key.name(), key.enabled(), roles, key.expireAt(), key.ipAccessList()));
            List<FieldChange> changes = FieldChange.between(shown(tables, key, key.roles()), shown(tables, key, roles));
            log.add(tables, permit, "openapi_key_update", null, id, changes);
        });
    }

    private static Tree.Members shown(Tables tables, ApiKey key, AssignedRoles roles) {
        return Tree.Members.NONE.with("assignedRoles", Roles.shown(tables, key.organizationId(), roles));
    }
}
