package io.pilothouse.core.role;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.right.Policy;
import io.pilothouse.core.right.Rights;
import io.pilothouse.core.right.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What assigned roles allow. It follows from the rows of these roles, so it is exact at once after a change, and what
 * was found is kept for as long as the rows stay as they are.
 */
public final class Roles {
    private static final int MAX_KNOWN = 10_000;
    private static final long MISSING = -1;

    private final ConcurrentHashMap<AssignedRoles, Known> known = new ConcurrentHashMap<>();

    private record Known(List<Long> versions, Rights rights) {}

    public Rights rights(Tables tables, UUID organizationId, AssignedRoles assigned) {
        List<Item> rows = new ArrayList<>();
        List<Long> versions = new ArrayList<>();
        for (UUID id : assigned.custom()) {
            Optional<Item> row = find(tables, organizationId, id);
            row.ifPresent(rows::add);
            versions.add(row.map(Item::version).orElse(MISSING));
        }
        Known last = known.get(assigned);
        if (last != null && last.versions().equals(versions)) {
            return last.rights();
        }
        Rights rights = Rights.of(Stream.concat(
                        assigned.system().stream().map(Role::policy),
                        rows.stream().flatMap(row -> RolePolicies.of(row.fields()).stream()))
                .toList());
        if (known.size() >= MAX_KNOWN) {
            known.clear();
        }
        known.put(assigned, new Known(versions, rights));
        return rights;
    }

    static Optional<Item> find(Tables tables, UUID organizationId, UUID id) {
        return tables.of(Item.KIND)
                .find(organizationId, id)
                .filter(item -> item.kind().equals(RoleKind.NAME));
    }

    /** The names of these roles that clients see; a role that was deleted meanwhile has none. */
    public static List<Assigned> named(Tables tables, UUID organizationId, AssignedRoles assigned) {
        List<Assigned> named = new ArrayList<>();
        assigned.system().forEach(role -> named.add(new Assigned(role.id(), role.title(), true)));
        assigned.custom()
                .forEach(id -> find(tables, organizationId, id)
                        .flatMap(row -> row.fields().text("name"))
                        .ifPresent(name -> named.add(new Assigned(id, name, false))));
        return named;
    }

    /** The same as clients are shown them, under {@code assignedRoles}. */
    public static Tree.Items shown(Tables tables, UUID organizationId, AssignedRoles assigned) {
        List<Tree> roles = new ArrayList<>();
        for (Assigned role : named(tables, organizationId, assigned)) {
            roles.add(Tree.Members.NONE
                    .with("roleId", new Tree.Text(role.id().toString()))
                    .with("roleName", new Tree.Text(role.name()))
                    .with("roleType", new Tree.Text(role.system() ? "system" : "custom")));
        }
        return new Tree.Items(roles);
    }

    /** A role of a key or a member as clients see it. */
    public record Assigned(UUID id, String name, boolean system) {}

    /** The roles that were given by their ids, in any letters; what is no id adds a fault. */
    public static @Nullable AssignedRoles read(@Nullable List<String> ids, Faults faults) {
        if (ids == null) {
            return null;
        }
        List<UUID> read = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            try {
                read.add(UUID.fromString(ids.get(i)));
            } catch (IllegalArgumentException noId) {
                faults.add("assignedRoleIds[" + i + "]", "is the id of no role");
            }
        }
        return AssignedRoles.ofIds(read);
    }

    /** Refuses a change of somebody's roles that names one which is not there, or one that is above the caller. */
    public void requireMayAssign(Tables tables, Permit permit, AssignedRoles before, AssignedRoles after) {
        Faults faults = new Faults();
        List<UUID> ids = after.ids();
        for (int i = 0; i < ids.size(); i++) {
            if (after.custom().contains(ids.get(i))
                    && !before.custom().contains(ids.get(i))
                    && find(tables, permit.organizationId(), ids.get(i)).isEmpty()) {
                faults.add("assignedRoleIds[" + i + "]", "is the id of no role");
            }
        }
        faults.refuseIfAny();
        Stream.concat(ids.stream(), before.ids().stream())
                .filter(id -> !(ids.contains(id) && before.ids().contains(id)))
                .forEach(id -> requireReach(permit, policies(tables, permit.organizationId(), id)));
    }

    /** Refuses unless the caller has every right that these policies name: nobody gives or takes what they do not have. */
    static void requireReach(Permit permit, Collection<Policy> policies) {
        Rights reach = Rights.of(policies.stream().map(Policy::reach).toList());
        if (!permit.caller().rights().cover(reach)) {
            throw new Refused(
                    Refused.Reason.FORBIDDEN, "This key can neither grant nor take away rights that it does not have");
        }
    }

    static List<Policy> policies(Tables tables, UUID organizationId, UUID id) {
        return Role.findById(id)
                .map(role -> List.of(role.policy()))
                .or(() -> find(tables, organizationId, id).map(row -> RolePolicies.of(row.fields())))
                .orElse(List.of());
    }
}
