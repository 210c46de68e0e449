package io.pilothouse.core.member;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.role.Roles;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The roles of a person, as they are sent ({@code assignedRoleIds}, or {@code role} as of old), kept and shown. */
final class GivenRoles {
    static final String KEPT = "roles";

    private static final String IDS = "assignedRoleIds";
    private static final String WORD = "role";
    private static final String ADMIN = "admin";

    static final List<FieldShape> SHAPE = List.of(
            FieldShape.word(WORD, ADMIN, "developer").changeable(),
            FieldShape.texts(IDS).changeable());

    private GivenRoles() {}

    /** What was asked for; null if nothing was. */
    static @Nullable AssignedRoles read(Tree.Members given, Faults faults) {
        AssignedRoles ofOld = given.text(WORD)
                .flatMap(Role::find)
                .map(role -> AssignedRoles.of(List.of(role)))
                .orElse(null);
        AssignedRoles asked = Roles.read(given.texts(IDS), faults);
        if (asked == null || asked.ids().isEmpty()) {
            return ofOld;
        }
        if (ofOld != null && !Set.copyOf(ofOld.ids()).equals(Set.copyOf(asked.ids()))) {
            faults.add(IDS, "must name the same role as role, or be the only one of the two");
        }
        return asked;
    }

    /** These fields with the roles in the form that is kept. */
    static Tree.Members keep(Tree.Members fields, AssignedRoles roles) {
        return fields.with(WORD, null)
                .with(IDS, null)
                .with(
                        KEPT,
                        Tree.Items.texts(
                                roles.ids().stream().map(UUID::toString).toList()));
    }

    static AssignedRoles of(Item person) {
        return AssignedRoles.ofIds(
                person.fields().texts(KEPT).stream().map(UUID::fromString).toList());
    }

    static Tree.Members shown(Tables tables, Item person) {
        AssignedRoles roles = of(person);
        return Tree.Members.NONE
                .with(WORD, new Tree.Text(roles.system().contains(Role.ADMIN) ? ADMIN : "developer"))
                .with("assignedRoles", Roles.shown(tables, person.organizationId(), roles));
    }
}
