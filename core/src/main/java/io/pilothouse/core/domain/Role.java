package io.pilothouse.core.domain;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A named set of permissions that a key carries; a key with several roles has the union. */
public enum Role {
    ADMIN,
    DEVELOPER,
    QUERY_ENDPOINTS,
    OPERATOR;

    private static final Set<Permission> EVERYTHING_AT_HOME =
            Set.copyOf(EnumSet.complementOf(EnumSet.of(Permission.ORGANIZATION_CREATE)));
    private static final Set<Permission> READS_SERVICES_AND_PIPES = Set.of(
            Permission.ORGANIZATION_READ,
            Permission.SERVICE_READ,
            Permission.SERVICE_WRITE,
            Permission.PIPE_READ,
            Permission.PIPE_WRITE,
            Permission.KEY_READ,
            Permission.ALERT_READ,
            Permission.ACTIVITY_READ);
    private static final Set<Permission> MAKES_ORGANIZATIONS =
            Set.of(Permission.ORGANIZATION_READ, Permission.ORGANIZATION_CREATE);

    /** The role's name on the wire. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Set<Permission> permissions() {
        return switch (this) {
            case ADMIN -> EVERYTHING_AT_HOME;
            case DEVELOPER -> READS_SERVICES_AND_PIPES;
            case QUERY_ENDPOINTS -> Set.of();
            case OPERATOR -> MAKES_ORGANIZATIONS;
        };
    }

    public static Optional<Role> find(String word) {
        for (Role role : values()) {
            if (role.word().equals(word)) {
                return Optional.of(role);
            }
        }
        return Optional.empty();
    }
}
