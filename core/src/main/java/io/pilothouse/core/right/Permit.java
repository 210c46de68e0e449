package io.pilothouse.core.right;

import java.util.UUID;

/**
 * The proof that a right was checked for this request; only {@link Caller} makes one, and no operation runs without it.
 */
public final class Permit {
    private final Caller caller;
    private final Permission permission;
    private final UUID requestId;

    Permit(Caller caller, Permission permission, UUID requestId) {
        this.caller = caller;
        this.permission = permission;
        this.requestId = requestId;
    }

    public Caller caller() {
        return caller;
    }

    public UUID organizationId() {
        return caller.organizationId();
    }

    public Permission permission() {
        return permission;
    }

    public UUID requestId() {
        return requestId;
    }
}
