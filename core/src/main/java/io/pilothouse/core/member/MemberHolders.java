package io.pilothouse.core.member;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.role.RoleHolders;
import java.util.List;
import java.util.UUID;

/** Members as those who have roles. */
public final class MemberHolders implements RoleHolders {
    private static final int MAX_MEMBERS = 1000;

    private final Clock clock;
    private final ActivityLog log;

    public MemberHolders(Clock clock) {
        this.clock = clock;
        this.log = new ActivityLog(clock);
    }

    @Override
    public String word() {
        return "user";
    }

    @Override
    public String title() {
        return "member";
    }

    @Override
    public List<Holder> all(Tables tables, UUID organizationId) {
        return rows(tables, organizationId).stream()
                .map(member -> new Holder(MemberKind.userId(member), GivenRoles.of(member), true))
                .toList();
    }

    private static List<Item> rows(Tables tables, UUID organizationId) {
        return tables.of(Item.KIND).listByLabel(Item.label(organizationId, MemberKind.NAME), MAX_MEMBERS);
    }

    @Override
    public void give(Tables tables, Permit permit, UUID userId, AssignedRoles roles) {
        for (Item member : rows(tables, permit.organizationId())) {
            if (MemberKind.userId(member).equals(userId)) {
                Tree.Members fields = GivenRoles.keep(member.fields(), roles);
                Tree.Members before = GivenRoles.shown(tables, member);
                Item next = tables.of(Item.KIND).overwrite(member.changed(fields, clock.now()));
                List<FieldChange> changes = FieldChange.between(before, GivenRoles.shown(tables, next));
                log.add(tables, permit, "organization_member_update", null, userId, changes);
            }
        }
    }
}
