package io.pilothouse.core.right;

import io.pilothouse.core.base.WordRule;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A named set of permissions that a key carries; a key with several roles has the union. */
public enum Role {
    ADMIN("9c7e1fbf-b5e0-32ec-bc56-df20550f7182"),
    DEVELOPER("5f846786-1c6f-303c-b379-656b27da2e3a"),
    QUERY_ENDPOINTS("0f910427-ff26-3e93-b9dc-78e7d0429ee7"),
    OPERATOR("0c563ba5-c209-3ca8-bb72-f6c198727fa1");

    /** The words of the wire. */
    public static final WordRule WORDS = WordRule.of(values(), Role::word);

    private static final Set<Permission> EVERYTHING_IN_ITS_ORGANIZATION =
            Set.copyOf(EnumSet.complementOf(EnumSet.of(Permission.ORGANIZATION_CREATE)));
    private static final Set<Permission> WORKS_ON_SERVICES_AND_PIPES = Set.of(
            Permission.ORGANIZATION_READ,
            Permission.SERVICE_READ,
            Permission.SERVICE_WRITE,
            Permission.PIPE_READ,
            Permission.PIPE_WRITE,
            Permission.KEY_READ,
            Permission.ALERT_READ,
            Permission.ACTIVITY_READ);
    private static final Set<Permission> CREATES_ORGANIZATIONS =
            Set.of(Permission.ORGANIZATION_READ, Permission.ORGANIZATION_CREATE);

    private final UUID id;

    Role(String id) {
        this.id = UUID.fromString(id);
    }

    /** The role's name on the wire. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Set<Permission> permissions() {
        return switch (this) {
            case ADMIN -> EVERYTHING_IN_ITS_ORGANIZATION;
            case DEVELOPER -> WORKS_ON_SERVICES_AND_PIPES;
            case QUERY_ENDPOINTS -> Set.of();
            case OPERATOR -> CREATES_ORGANIZATIONS;
        };
    }

    /** The role's id for clients that name it by id: the same on every server. */
    public UUID id() {
        return id;
    }

    public static Optional<Role> find(String word) {
        return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
    }

    public static Optional<Role> findById(String id) {
        return Arrays.stream(values())
                .filter(role -> role.id().toString().equalsIgnoreCase(id))
                .findFirst();
    }
}
