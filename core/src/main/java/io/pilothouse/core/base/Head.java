package io.pilothouse.core.base;

import java.time.Instant;
import java.util.UUID;

/**
 * The head of every stored row: its owner is the thing it hangs under, an organization, or a service for what lives
 * inside one; its version grows by one with every write and is 0 before the first.
 */
public record Head(UUID id, UUID ownerId, Instant createdAt, long version) {
    public static Head of(UUID id, UUID ownerId, Instant createdAt) {
        return new Head(id, ownerId, createdAt, 0);
    }

    /** The head of a row that hangs under nothing but itself. */
    public static Head own(UUID id, Instant createdAt) {
        return of(id, id, createdAt);
    }
}
