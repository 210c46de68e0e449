package io.pilothouse.core.key;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.secret.SecretHash;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A credential of the management API. Neither its id nor its secret is kept: {@code keyIdHash} finds it and
 * {@code secretHash} (keyed, see {@link SecretHash}) proves it.
 */
public record ApiKey(
        Head head,
        String name,
        boolean enabled,
        AssignedRoles roles,
        String keySuffix,
        String keyIdHash,
        String secretHash,
        @Nullable Instant expireAt,
        @Nullable Instant usedAt,
        List<IpAccessEntry> ipAccessList)
        implements Stored {
    /** Reference: the hash of the key id, unique. */
    public static final Kind<ApiKey> KIND = new Kind<>("api_keys", ApiKey.class);

    public ApiKey {
        ipAccessList = List.copyOf(ipAccessList);
    }

    public UUID organizationId() {
        return head.ownerId();
    }

    public ApiKey with(
            String newName,
            boolean nowEnabled,
            AssignedRoles newRoles,
            @Nullable Instant newExpireAt,
            List<IpAccessEntry> newAccessList) {
        return new ApiKey(
                head,
                newName,
                nowEnabled,
                newRoles,
                keySuffix,
                keyIdHash,
                secretHash,
                newExpireAt,
                usedAt,
                newAccessList);
    }

    /** As it is kept after a use; its hash may be a newer one of the same secret. */
    public ApiKey used(Instant now, String newSecretHash) {
        return new ApiKey(head, name, enabled, roles, keySuffix, keyIdHash, newSecretHash, expireAt, now, ipAccessList);
    }

    public ApiKey withSecretHash(String newSecretHash) {
        return new ApiKey(
                head, name, enabled, roles, keySuffix, keyIdHash, newSecretHash, expireAt, usedAt, ipAccessList);
    }

    @Override
    public String toString() {
        return "ApiKey[" + id() + "]";
    }
}
