package io.pilothouse.core.organization;

import org.jspecify.annotations.Nullable;

/** A private endpoint registered with an organization; provider and region are known when a service registered it. */
public record PrivateEndpoint(
        String id,
        @Nullable String description,
        @Nullable String cloudProvider,
        @Nullable String region) {}
