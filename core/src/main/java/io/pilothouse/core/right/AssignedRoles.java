package io.pilothouse.core.right;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** The roles that a key or a member has: those that every organization has, and the organization's own by their ids. */
public record AssignedRoles(List<Role> system, List<UUID> custom) {
    public static final AssignedRoles NONE = new AssignedRoles(List.of(), List.of());

    public AssignedRoles {
        system = List.copyOf(system);
        custom = List.copyOf(custom);
    }

    public static AssignedRoles of(List<Role> system) {
        return new AssignedRoles(system, List.of());
    }

    /** Each once, in the order given. */
    public static AssignedRoles ofIds(Collection<UUID> ids) {
        List<Role> system = new ArrayList<>();
        List<UUID> custom = new ArrayList<>();
        for (UUID id : new LinkedHashSet<>(ids)) {
            Role.findById(id).ifPresentOrElse(system::add, () -> custom.add(id));
        }
        return new AssignedRoles(system, custom);
    }

    public List<UUID> ids() {
        return Stream.concat(system.stream().map(Role::id), custom.stream()).toList();
    }

    public AssignedRoles with(UUID id) {
        return ofIds(Stream.concat(ids().stream(), Stream.of(id)).toList());
    }

    public AssignedRoles without(UUID id) {
        return ofIds(ids().stream().filter(each -> !each.equals(id)).toList());
    }
}
