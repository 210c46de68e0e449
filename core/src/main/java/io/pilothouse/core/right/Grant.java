package io.pilothouse.core.right;

import static io.pilothouse.core.right.Permission.ACCESS_LIST_WRITE;
import static io.pilothouse.core.right.Permission.ACTIVITY_READ;
import static io.pilothouse.core.right.Permission.ALERT_READ;
import static io.pilothouse.core.right.Permission.ALERT_WRITE;
import static io.pilothouse.core.right.Permission.BACKUP_READ;
import static io.pilothouse.core.right.Permission.BACKUP_WRITE;
import static io.pilothouse.core.right.Permission.BILLING_READ;
import static io.pilothouse.core.right.Permission.KEY_CREATE;
import static io.pilothouse.core.right.Permission.KEY_DELETE;
import static io.pilothouse.core.right.Permission.KEY_READ;
import static io.pilothouse.core.right.Permission.KEY_UPDATE;
import static io.pilothouse.core.right.Permission.MEMBER_READ;
import static io.pilothouse.core.right.Permission.MEMBER_WRITE;
import static io.pilothouse.core.right.Permission.ORGANIZATION_READ;
import static io.pilothouse.core.right.Permission.ORGANIZATION_WRITE;
import static io.pilothouse.core.right.Permission.PIPE_DELETE;
import static io.pilothouse.core.right.Permission.PIPE_READ;
import static io.pilothouse.core.right.Permission.PIPE_WRITE;
import static io.pilothouse.core.right.Permission.PRIVATE_ENDPOINT_READ;
import static io.pilothouse.core.right.Permission.PRIVATE_ENDPOINT_WRITE;
import static io.pilothouse.core.right.Permission.QUERY_ENDPOINT_READ;
import static io.pilothouse.core.right.Permission.QUERY_ENDPOINT_WRITE;
import static io.pilothouse.core.right.Permission.SCALING_READ;
import static io.pilothouse.core.right.Permission.SCALING_WRITE;
import static io.pilothouse.core.right.Permission.SERVICE_CREATE;
import static io.pilothouse.core.right.Permission.SERVICE_DELETE;
import static io.pilothouse.core.right.Permission.SERVICE_READ;
import static io.pilothouse.core.right.Permission.SERVICE_UPDATE;
import static io.pilothouse.core.right.Permission.SERVICE_WRITE;

import io.pilothouse.core.base.WordRule;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * The permissions that a policy may name, in the words of the live service, and what each of them means here. To allow
 * one gives what it takes to use it, reading included; to deny one that reads takes the writing too, to deny one that
 * writes leaves the reading.
 */
public enum Grant {
    ORGANIZATION_VIEW(
            "control-plane:organization:view",
            Set.of(ORGANIZATION_READ, MEMBER_READ),
            Set.of(ORGANIZATION_READ, ORGANIZATION_WRITE, MEMBER_READ, MEMBER_WRITE, ACTIVITY_READ)),
    ORGANIZATION_MANAGE(
            "control-plane:organization:manage",
            Set.of(ORGANIZATION_READ, ORGANIZATION_WRITE, MEMBER_READ, MEMBER_WRITE, ACTIVITY_READ),
            Set.of(ORGANIZATION_WRITE, MEMBER_WRITE, ACTIVITY_READ)),
    VIEW_BILLING("control-plane:organization:view-billing", Set.of(BILLING_READ)),
    MANAGE_BILLING("control-plane:organization:manage-billing", Set.of(BILLING_READ), Set.of()),
    VIEW_API_KEYS(
            "control-plane:organization:view-api-keys",
            Set.of(KEY_READ),
            Set.of(KEY_READ, KEY_CREATE, KEY_UPDATE, KEY_DELETE)),
    CREATE_API_KEYS("control-plane:organization:create-api-keys", Set.of(KEY_CREATE)),
    UPDATE_API_KEYS("control-plane:organization:update-api-keys", Set.of(KEY_UPDATE)),
    DELETE_API_KEYS("control-plane:organization:delete-api-keys", Set.of(KEY_DELETE)),
    MANAGE_SUPPORT("control-plane:support:manage", Set.of()),
    SERVICE_VIEW("control-plane:service:view", Set.of(SERVICE_READ, PIPE_READ), Permission.ON_SERVICES_OR_NEW),
    SERVICE_MANAGE(
            "control-plane:service:manage",
            Set.of(SERVICE_CREATE, SERVICE_READ, SERVICE_UPDATE, SERVICE_WRITE, SERVICE_DELETE),
            Set.of(SERVICE_CREATE, SERVICE_WRITE, SERVICE_DELETE)),
    SERVICE_REMOVE("control-plane:service:delete", Set.of(SERVICE_DELETE)),
    VIEW_BACKUPS("control-plane:service:view-backups", Set.of(BACKUP_READ), Set.of(BACKUP_READ, BACKUP_WRITE)),
    MANAGE_BACKUPS("control-plane:service:manage-backups", Set.of(BACKUP_READ, BACKUP_WRITE), Set.of(BACKUP_WRITE)),
    MANAGE_IP_ACCESS_LIST(
            "control-plane:service:manage-ip-access-list",
            Set.of(SERVICE_READ, SERVICE_UPDATE, ACCESS_LIST_WRITE),
            Set.of(ACCESS_LIST_WRITE)),
    MANAGE_GENERATIVE_AI("control-plane:service:manage-generative-ai", Set.of()),
    VIEW_QUERY_ENDPOINTS(
            "control-plane:service:view-query-api-endpoints",
            Set.of(QUERY_ENDPOINT_READ),
            Set.of(QUERY_ENDPOINT_READ, QUERY_ENDPOINT_WRITE)),
    MANAGE_QUERY_ENDPOINTS(
            "control-plane:service:manage-query-api-endpoints",
            Set.of(QUERY_ENDPOINT_READ, QUERY_ENDPOINT_WRITE),
            Set.of(QUERY_ENDPOINT_WRITE)),
    VIEW_PRIVATE_ENDPOINTS(
            "control-plane:service:view-private-endpoints",
            Set.of(PRIVATE_ENDPOINT_READ),
            Set.of(PRIVATE_ENDPOINT_READ, PRIVATE_ENDPOINT_WRITE)),
    MANAGE_PRIVATE_ENDPOINTS(
            "control-plane:service:manage-private-endpoints",
            Set.of(SERVICE_READ, SERVICE_UPDATE, PRIVATE_ENDPOINT_READ, PRIVATE_ENDPOINT_WRITE),
            Set.of(PRIVATE_ENDPOINT_WRITE)),
    MANAGE_CLICKPIPES(
            "control-plane:service:manage-clickpipes",
            Set.of(PIPE_READ, PIPE_WRITE, PIPE_DELETE),
            Set.of(PIPE_WRITE, PIPE_DELETE)),
    VIEW_SCALING(
            "control-plane:service:view-scaling-config", Set.of(SCALING_READ), Set.of(SCALING_READ, SCALING_WRITE)),
    MANAGE_SCALING(
            "control-plane:service:manage-scaling-config",
            Set.of(SERVICE_READ, SCALING_READ, SCALING_WRITE),
            Set.of(SCALING_WRITE)),
    MANAGE_CLICKSTACK("control-plane:service:manage-clickstack-api", Set.of(ALERT_READ, ALERT_WRITE)),
    ACCESS_DATABASE("sql-console:database:access", Set.of());

    public static final WordRule WORDS = WordRule.of(values(), Grant::word);

    private final String word;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<Permission> allowed;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<Permission> denied;

    Grant(String word, Set<Permission> permissions) {
        this(word, permissions, permissions);
    }

    Grant(String word, Set<Permission> allowed, Set<Permission> denied) {
        this.word = word;
        this.allowed = allowed;
        this.denied = denied;
    }

    public static Optional<Grant> find(String word) {
        return Arrays.stream(values()).filter(grant -> grant.word.equals(word)).findFirst();
    }

    public String word() {
        return word;
    }

    /** What a policy allows or denies that names it. */
    public Set<Permission> permissions(boolean allows) {
        return allows ? allowed : denied;
    }

    /** Whether it is about services, and not about the organization. */
    public boolean isOnServices() {
        return !word.startsWith("control-plane:organization:") && this != MANAGE_SUPPORT;
    }
}
