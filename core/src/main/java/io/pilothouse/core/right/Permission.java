package io.pilothouse.core.right;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The rights that a caller may have inside its own organization; every route names exactly one. */
public enum Permission {
    /** To learn who one is; every caller has it. */
    IDENTITY_READ,
    /** To run SQL; every caller has it, and the query endpoint of a service says who may do so there. */
    QUERY_RUN,
    ORGANIZATION_READ,
    ORGANIZATION_WRITE,
    ORGANIZATION_CREATE,
    /** Of members, invitations and roles. */
    MEMBER_READ,
    MEMBER_WRITE,
    BILLING_READ,
    KEY_READ,
    KEY_CREATE,
    KEY_UPDATE,
    KEY_DELETE,
    ALERT_READ,
    ALERT_WRITE,
    ACTIVITY_READ,
    /** To list services: those are shown that the caller may read. Follows from what it may read. */
    SERVICE_LIST,
    SERVICE_CREATE,
    SERVICE_READ,
    /** To change a service, if only its access list or its private endpoints; the rest takes {@link #SERVICE_WRITE}. */
    SERVICE_UPDATE,
    SERVICE_WRITE,
    SERVICE_DELETE,
    ACCESS_LIST_WRITE,
    PRIVATE_ENDPOINT_READ,
    PRIVATE_ENDPOINT_WRITE,
    SCALING_READ,
    SCALING_WRITE,
    BACKUP_READ,
    BACKUP_WRITE,
    QUERY_ENDPOINT_READ,
    QUERY_ENDPOINT_WRITE,
    PIPE_READ,
    PIPE_WRITE,
    PIPE_DELETE;

    /** Those that can be had on one service and not on another. */
    public static final Set<Permission> ON_SERVICES =
            Collections.unmodifiableSet(EnumSet.range(SERVICE_READ, PIPE_DELETE));

    /** These, and the making of services. */
    static final Set<Permission> ON_SERVICES_OR_NEW =
            Collections.unmodifiableSet(EnumSet.range(SERVICE_CREATE, PIPE_DELETE));

    /** What it takes to see what this one changes. */
    public Permission reading() {
        return switch (this) {
            case ORGANIZATION_WRITE, ORGANIZATION_CREATE -> ORGANIZATION_READ;
            case MEMBER_WRITE -> MEMBER_READ;
            case KEY_CREATE, KEY_UPDATE, KEY_DELETE -> KEY_READ;
            case ALERT_WRITE -> ALERT_READ;
            case SERVICE_CREATE, SERVICE_UPDATE, SERVICE_WRITE, SERVICE_DELETE, ACCESS_LIST_WRITE -> SERVICE_READ;
            case PRIVATE_ENDPOINT_WRITE -> PRIVATE_ENDPOINT_READ;
            case SCALING_WRITE -> SCALING_READ;
            case BACKUP_WRITE -> BACKUP_READ;
            case QUERY_ENDPOINT_WRITE -> QUERY_ENDPOINT_READ;
            case PIPE_WRITE, PIPE_DELETE -> PIPE_READ;
            case IDENTITY_READ,
                    QUERY_RUN,
                    ORGANIZATION_READ,
                    MEMBER_READ,
                    BILLING_READ,
                    KEY_READ,
                    ALERT_READ,
                    ACTIVITY_READ,
                    SERVICE_LIST,
                    SERVICE_READ,
                    PRIVATE_ENDPOINT_READ,
                    SCALING_READ,
                    BACKUP_READ,
                    QUERY_ENDPOINT_READ,
                    PIPE_READ -> this;
        };
    }
}
