package io.pilothouse.core.right;

import io.pilothouse.core.base.WordRule;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A role that every organization has: a named set of permissions; who has several roles has the union. */
public enum Role {
    ADMIN("9c7e1fbf-b5e0-32ec-bc56-df20550f7182", "Admin"),
    DEVELOPER("5f846786-1c6f-303c-b379-656b27da2e3a", "Developer"),
    QUERY_ENDPOINTS("0f910427-ff26-3e93-b9dc-78e7d0429ee7", "Basic service API reader"),
    OPERATOR("0c563ba5-c209-3ca8-bb72-f6c198727fa1", "Operator"),
    MEMBER("2f9a6d04-52d1-3d0b-9c53-6a6e43b0a1c1", "Member"),
    BILLING("6c1d2f5e-0d6e-3a54-8f0a-1b8f5b7c9d22", "Billing"),
    ORGANIZATION_READER("a4e0b7c3-7a35-3c1e-9b8d-52c0f1d6e733", "Org API reader"),
    SERVICE_READER("d85c3e91-4f27-3f6a-8e1c-7b9402a5c844", "Service reader"),
    SERVICE_ADMIN("b3f7a260-91c4-3b2d-a5e6-0c8d13f7e955", "Service admin"),
    SERVICE_API_READER("e16d94b8-c053-3e7f-96a2-4d1b85c0fa66", "Service API reader"),
    SERVICE_API_ADMIN("c7029fe5-3b8a-3d41-b0f7-928e64d1ab77", "Service API admin");

    /** Those that a key can be given by a word, as the contract has them. */
    private static final List<Role> BY_WORD = List.of(ADMIN, DEVELOPER, QUERY_ENDPOINTS, OPERATOR);

    /** The words of the wire. */
    public static final WordRule WORDS =
            new WordRule(BY_WORD.stream().map(Role::word).toList());

    private static final Set<Permission> EVERYTHING_IN_ITS_ORGANIZATION =
            Set.copyOf(EnumSet.complementOf(EnumSet.of(Permission.ORGANIZATION_CREATE)));
    private static final Set<Permission> READS_SERVICES = Set.of(
            Permission.SERVICE_LIST,
            Permission.SERVICE_READ,
            Permission.PIPE_READ,
            Permission.BACKUP_READ,
            Permission.SCALING_READ,
            Permission.PRIVATE_ENDPOINT_READ,
            Permission.QUERY_ENDPOINT_READ);
    private static final Set<Permission> READS_THE_ORGANIZATION = Set.of(
            Permission.ORGANIZATION_READ,
            Permission.MEMBER_READ,
            Permission.BILLING_READ,
            Permission.KEY_READ,
            Permission.ACTIVITY_READ);

    private final UUID id;
    private final String title;

    Role(String id, String title) {
        this.id = UUID.fromString(id);
        this.title = title;
    }

    /** The role's name among those that a key is given by a word. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Its name among the roles of an organization. */
    public String title() {
        return title;
    }

    public boolean hasWord() {
        return BY_WORD.contains(this);
    }

    public Set<Permission> permissions() {
        return switch (this) {
            case ADMIN -> EVERYTHING_IN_ITS_ORGANIZATION;
            case DEVELOPER -> worksOnServicesAndPipes();
            case QUERY_ENDPOINTS, MEMBER -> Set.of();
            case OPERATOR -> Set.of(Permission.ORGANIZATION_READ, Permission.ORGANIZATION_CREATE);
            case BILLING -> Set.of(Permission.ORGANIZATION_READ, Permission.BILLING_READ);
            case ORGANIZATION_READER -> READS_THE_ORGANIZATION;
            case SERVICE_READER, SERVICE_API_READER -> READS_SERVICES;
            case SERVICE_ADMIN, SERVICE_API_ADMIN -> managesServices();
        };
    }

    private static Set<Permission> worksOnServicesAndPipes() {
        EnumSet<Permission> permissions = EnumSet.copyOf(managesServices());
        permissions.removeAll(Set.of(Permission.SERVICE_DELETE, Permission.PIPE_DELETE));
        permissions.addAll(READS_THE_ORGANIZATION);
        permissions.add(Permission.ALERT_READ);
        return permissions;
    }

    private static Set<Permission> managesServices() {
        EnumSet<Permission> permissions = EnumSet.copyOf(Permission.ON_SERVICES_OR_NEW);
        permissions.add(Permission.SERVICE_LIST);
        return permissions;
    }

    /** The role as a policy: all that it says. */
    public Policy policy() {
        return Policy.allow(permissions());
    }

    /** Those of the live service's permissions that it has whole, in their order. */
    public List<Grant> grants() {
        Set<Permission> own = permissions();
        return Arrays.stream(Grant.values())
                .filter(grant -> !grant.permissions(true).isEmpty() && own.containsAll(grant.permissions(true)))
                .toList();
    }

    /** The role's id for clients that name it by id: the same on every server. */
    public UUID id() {
        return id;
    }

    public static Optional<Role> find(String word) {
        return BY_WORD.stream().filter(role -> role.word().equals(word)).findFirst();
    }

    public static Optional<Role> findById(UUID id) {
        return Arrays.stream(values()).filter(role -> role.id.equals(id)).findFirst();
    }
}
