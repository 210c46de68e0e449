package io.pilothouse.core.right;

/** The rights that a key may have inside its own organization; every route names exactly one. */
public enum Permission {
    /** To learn who one is; every caller has it. */
    IDENTITY_READ,
    ORGANIZATION_READ,
    ORGANIZATION_WRITE,
    ORGANIZATION_CREATE,
    SERVICE_READ,
    SERVICE_WRITE,
    SERVICE_DELETE,
    PIPE_READ,
    PIPE_WRITE,
    PIPE_DELETE,
    KEY_READ,
    KEY_WRITE,
    ALERT_READ,
    ALERT_WRITE,
    ACTIVITY_READ
}
