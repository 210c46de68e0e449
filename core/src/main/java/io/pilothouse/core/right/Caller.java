package io.pilothouse.core.right;

import io.pilothouse.core.base.Refused;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/** Who is asking, known by a key that was checked; its rights reach no further than its own organization. */
public record Caller(UUID organizationId, UUID keyId, String keyName, Set<Permission> permissions) {
    public Caller {
        // Made for every request: as one word of bits it costs almost nothing.
        Set<Permission> own = EnumSet.noneOf(Permission.class);
        own.addAll(permissions);
        own.add(Permission.IDENTITY_READ);
        permissions = Collections.unmodifiableSet(own);
    }

    public boolean may(Permission permission) {
        return permissions.contains(permission);
    }

    /** Checks a right in an organization: a foreign one and a missing one get the same refusal, and cost the same. */
    public Permit permit(Permission permission, UUID organization, UUID requestId) {
        if (!organizationId.equals(organization)) {
            throw Refused.notFound("Organization");
        }
        return permit(permission, requestId);
    }

    /** Checks a right that is about no organization in particular. */
    public Permit permit(Permission permission, UUID requestId) {
        if (!may(permission)) {
            throw new Refused(
                    Refused.Reason.FORBIDDEN,
                    "This key's roles do not allow " + permission.name().toLowerCase(Locale.ROOT));
        }
        return new Permit(this, permission, requestId);
    }
}
