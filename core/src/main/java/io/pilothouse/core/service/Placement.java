package io.pilothouse.core.service;

import org.jspecify.annotations.Nullable;

/** Where and as what a service was made; fixed for its life. */
public record Placement(
        String provider,
        String region,
        @Nullable String tier,
        @Nullable String byocId,
        @Nullable String profile,
        @Nullable String complianceType) {
    static final String DEVELOPMENT = "development";

    /** Whether its size is fixed. */
    public boolean development() {
        return DEVELOPMENT.equals(tier);
    }
}
