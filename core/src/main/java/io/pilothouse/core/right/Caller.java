package io.pilothouse.core.right;

import io.pilothouse.core.base.Refused;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who is asking, known by a key that was checked; its rights reach no further than its own organization. A member who
 * signed in has a {@code userId}, and in place of a key the membership and its e-mail address.
 */
public record Caller(
        UUID organizationId,
        UUID keyId,
        String keyName,
        Rights rights,
        @Nullable UUID userId) {
    private static final Set<Permission> OF_EVERYBODY = Set.of(Permission.IDENTITY_READ, Permission.QUERY_RUN);

    /** The holder of a key. */
    public Caller(UUID organizationId, UUID keyId, String keyName, Rights rights) {
        this(organizationId, keyId, keyName, rights, null);
    }

    /** One that may do the same on every service. */
    public Caller(UUID organizationId, UUID keyId, String keyName, Set<Permission> permissions) {
        this(organizationId, keyId, keyName, new Rights(permissions, Map.of()));
    }

    public boolean may(Permission permission) {
        return OF_EVERYBODY.contains(permission) || rights.everywhere().contains(permission);
    }

    /** Checks a right in an organization: a foreign one and a missing one get the same refusal, and cost the same. */
    public Permit permit(Permission permission, UUID organization, UUID requestId) {
        requireOwn(organization);
        return permit(permission, requestId);
    }

    /**
     * Checks a right on a service. One on which the caller may do nothing is not there for it, as long as it may do
     * this on some other; where it may not at all, whichever service it names makes no difference.
     */
    public Permit permitOn(UUID service, Permission permission, UUID organization, UUID requestId) {
        requireOwn(organization);
        if (!may(permission, service)) {
            if (rights.anywhere(permission) && !rights.sees(service)) {
                throw Refused.notFound("Service");
            }
            throw forbidden(permission);
        }
        return new Permit(this, permission, service, requestId);
    }

    private void requireOwn(UUID organization) {
        if (!organizationId.equals(organization)) {
            throw Refused.notFound("Organization");
        }
    }

    /** Checks a right that is about no organization or service in particular. */
    public Permit permit(Permission permission, UUID requestId) {
        if (!may(permission)) {
            throw forbidden(permission);
        }
        return new Permit(this, permission, null, requestId);
    }

    Refused forbidden(Permission permission) {
        return new Refused(
                Refused.Reason.FORBIDDEN,
                (userId == null ? "This key's" : "This member's") + " roles do not allow "
                        + permission.name().toLowerCase(Locale.ROOT));
    }

    /** Whether it may do this on a service; on all of them where none is named. */
    public boolean may(Permission permission, @Nullable UUID service) {
        if (service == null || !Permission.ON_SERVICES.contains(permission)) {
            return may(permission);
        }
        return rights.on(service).contains(permission);
    }
}
