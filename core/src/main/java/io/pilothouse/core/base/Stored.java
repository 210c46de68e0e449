package io.pilothouse.core.base;

import java.time.Instant;
import java.util.UUID;

/** A row that the store keeps as one document: a head, which is in columns, and a body. */
public interface Stored {
    Head head();

    default UUID id() {
        return head().id();
    }

    default UUID ownerId() {
        return head().ownerId();
    }

    default Instant createdAt() {
        return head().createdAt();
    }

    default long version() {
        return head().version();
    }
}
