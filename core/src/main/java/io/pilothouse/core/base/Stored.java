package io.pilothouse.core.base;

import java.time.Instant;
import java.util.UUID;

/** What the store keeps as one document: it belongs to one owner, and its version grows by one with every write. */
public interface Stored {
    UUID id();

    /** The thing it hangs under: an organization, or a service for what lives inside one. */
    UUID ownerId();

    Instant createdAt();

    long version();
}
