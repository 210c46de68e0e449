package io.pilothouse.core.quota;

import org.jspecify.annotations.Nullable;

/** A quota of an organization: its limit, and how much of it is used where one figure says so. */
public record QuotaView(Quota quota, int value, @Nullable Long usage) {}
