package io.pilothouse.core.base;

import org.jspecify.annotations.Nullable;

/** One address or CIDR block that is let in, kept as it was written. */
public record IpAccessEntry(String source, @Nullable String description) {}
