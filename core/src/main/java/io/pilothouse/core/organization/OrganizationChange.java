package io.pilothouse.core.organization;

import io.pilothouse.core.base.ListChange;
import org.jspecify.annotations.Nullable;

/** An organization update as it was read: null means unchanged. */
public record OrganizationChange(
        @Nullable String name,
        @Nullable ListChange<PrivateEndpoint> privateEndpoints,
        @Nullable Boolean enableCoreDumps) {}
