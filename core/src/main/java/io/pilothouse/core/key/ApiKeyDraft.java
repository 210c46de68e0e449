package io.pilothouse.core.key;

import io.pilothouse.core.base.IpAccessEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request for a key as it was read; {@code hashes} brings a key whose secret the server never sees. */
public record ApiKeyDraft(
        @Nullable String name,
        @Nullable String state,
        @Nullable List<String> roles,
        @Nullable List<String> assignedRoleIds,
        @Nullable String expireAt,
        @Nullable List<IpAccessEntry> ipAccessList,
        @Nullable Hashes hashes) {

    /** Base64 of the SHA-256 of id and secret, and the id's last four characters. */
    public record Hashes(
            @Nullable String keyIdHash,
            @Nullable String keyIdSuffix,
            @Nullable String keySecretHash) {}
}
