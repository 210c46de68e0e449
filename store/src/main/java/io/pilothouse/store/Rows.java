package io.pilothouse.store;

import io.pilothouse.core.domain.Stored;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How one kind of thing becomes a row and comes back. What columns hold is not repeated in the document. Reading takes
 * rows that older and newer programs wrote: a member it does not know is passed over, a missing one has a fallback.
 */
interface Rows<T extends Stored> {
    String table();

    @Nullable
    String reference(T row);

    void write(T row, DocumentOut document);

    T read(Head head, DocumentIn document);

    T withVersion(T row, long version);

    /** What the columns of a row say. */
    record Head(UUID id, UUID ownerId, Instant createdAt, long version) {}
}
