package io.pilothouse.core.service;

import org.jspecify.annotations.Nullable;

/** The keys that a service's disks are encrypted with: references only, never key material. */
public record Encryption(
        @Nullable String key,
        @Nullable String assumedRoleIdentifier,
        boolean transparent,
        @Nullable String transparentKeyId) {}
