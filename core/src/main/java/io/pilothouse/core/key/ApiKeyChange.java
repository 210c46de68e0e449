package io.pilothouse.core.key;

import io.pilothouse.core.base.IpAccessEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key update as it was read: null means unchanged, except for the expiry, where {@code expiryGiven} says whether it
 * was given.
 */
public record ApiKeyChange(
        @Nullable String name,
        @Nullable String state,
        @Nullable List<String> roles,
        @Nullable List<String> assignedRoleIds,
        boolean expiryGiven,
        @Nullable String expireAt,
        @Nullable List<IpAccessEntry> ipAccessList) {}
