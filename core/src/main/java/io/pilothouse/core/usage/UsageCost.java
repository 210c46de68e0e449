package io.pilothouse.core.usage;

import java.time.LocalDate;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one thing cost on one day: a service for its memory or, with {@code serviceId} null, a warehouse for its
 * storage. It is {@code locked} once the day is over.
 */
public record UsageCost(
        UUID warehouseId, @Nullable UUID serviceId, String name, LocalDate day, double credits, boolean locked) {}
