package io.pilothouse.core.right;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What a caller may do in its organization and on its services, and where single services differ, on each of these.
 * What a policy denies is denied, whatever others allow.
 */
public record Rights(Set<Permission> everywhere, Map<UUID, Set<Permission>> onServices) {
    public static final Rights NONE = new Rights(Set.of(), Map.of());

    public Rights {
        everywhere = bits(everywhere);
        onServices = Map.copyOf(onServices);
    }

    public static Rights of(Collection<Policy> policies) {
        Said everywhere = new Said();
        Map<UUID, Said> named = new HashMap<>();
        for (Policy policy : policies) {
            if (policy.everywhere()) {
                everywhere.add(policy);
            }
            policy.services()
                    .forEach(service ->
                            named.computeIfAbsent(service, _ -> new Said()).add(policy));
        }
        EnumSet<Permission> held = everywhere.without(everywhere);
        Map<UUID, Set<Permission>> onServices = new HashMap<>();
        named.forEach((service, said) -> {
            EnumSet<Permission> there = everywhere.without(said);
            there.addAll(said.without(said));
            there.removeAll(everywhere.denied);
            there.retainAll(Permission.ON_SERVICES);
            onServices.put(service, bits(there));
        });
        if (held.contains(Permission.SERVICE_READ)
                || onServices.values().stream().anyMatch(each -> each.contains(Permission.SERVICE_READ))) {
            held.add(Permission.SERVICE_LIST);
        }
        return new Rights(held, onServices);
    }

    /** What several policies say about one thing. */
    private static final class Said {
        private final EnumSet<Permission> allowed = EnumSet.noneOf(Permission.class);
        private final EnumSet<Permission> denied = EnumSet.noneOf(Permission.class);

        private void add(Policy policy) {
            (policy.allows() ? allowed : denied).addAll(policy.permissions());
        }

        /** What is allowed here and not denied there. */
        private EnumSet<Permission> without(Said other) {
            EnumSet<Permission> left = EnumSet.copyOf(allowed);
            left.removeAll(other.denied);
            return left;
        }
    }

    private static Set<Permission> bits(Set<Permission> permissions) {
        // Asked at every request: as one word of bits it costs almost nothing.
        Set<Permission> own = EnumSet.noneOf(Permission.class);
        own.addAll(permissions);
        return Collections.unmodifiableSet(own);
    }

    /** What it may do on one service. */
    public Set<Permission> on(UUID service) {
        return onServices.getOrDefault(service, everywhere);
    }

    /** Whether it may do anything at all on this service; one of which this is false is not there for the caller. */
    public boolean sees(UUID service) {
        return on(service).stream().anyMatch(Permission.ON_SERVICES::contains);
    }

    /** Whether there may be a service on which it may do this. */
    boolean anywhere(Permission permission) {
        return everywhere.contains(permission)
                || onServices.values().stream().anyMatch(each -> each.contains(permission));
    }

    /** Whether others may do nothing that this does not allow. */
    public boolean cover(Rights others) {
        Set<UUID> named = new HashSet<>(onServices.keySet());
        named.addAll(others.onServices.keySet());
        return everywhere.containsAll(others.everywhere)
                && named.stream().allMatch(service -> everywhere(others.on(service), on(service)));
    }

    private static boolean everywhere(Set<Permission> asked, Set<Permission> held) {
        return asked.stream().filter(Permission.ON_SERVICES::contains).allMatch(held::contains);
    }
}
