package io.pilothouse.core.right;

import java.util.Set;
import java.util.UUID;

/**
 * One sentence of a role: it allows or denies permissions everywhere in the organization, or on the services that it
 * names.
 */
public record Policy(boolean allows, Set<Permission> permissions, boolean everywhere, Set<UUID> services) {
    public Policy {
        permissions = Set.copyOf(permissions);
        services = Set.copyOf(services);
    }

    static Policy allow(Set<Permission> permissions) {
        return new Policy(true, permissions, true, Set.of());
    }

    /** What it names, allowed whatever it says about it. */
    public Policy reach() {
        return new Policy(true, permissions, everywhere, services);
    }
}
