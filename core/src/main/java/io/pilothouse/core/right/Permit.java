package io.pilothouse.core.right;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The proof that a right was checked for this request; only {@link Caller} makes one, and no operation runs without it.
 */
public final class Permit {
    private final Caller caller;
    private final Permission permission;
    private final @Nullable UUID service;
    private final UUID requestId;
    private final @Nullable Client client;

    Permit(Caller caller, Permission permission, @Nullable UUID service, UUID requestId) {
        this(caller, permission, service, requestId, null);
    }

    private Permit(
            Caller caller, Permission permission, @Nullable UUID service, UUID requestId, @Nullable Client client) {
        this.caller = caller;
        this.permission = permission;
        this.service = service;
        this.requestId = requestId;
        this.client = client;
    }

    /** The same permit, for a request that this client sent. */
    public Permit sentBy(Client sender) {
        return new Permit(caller, permission, service, requestId, sender);
    }

    /** What sent the request; null where that is not known. */
    public @Nullable Client client() {
        return client;
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

    /** Refuses unless the caller has this right too, on the service that its path names if it names one. */
    public void require(Permission more) {
        if (!caller.may(more, service)) {
            throw caller.forbidden(more);
        }
    }

    /** Whether the caller has this right on a service; one that it may not read is not there for it. */
    public boolean allows(Permission more, UUID on) {
        return caller.rights().on(on).contains(more);
    }

    public UUID requestId() {
        return requestId;
    }
}
