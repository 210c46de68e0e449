package io.pilothouse.store;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How one kind of thing becomes a row and comes back. What columns hold is not repeated in the document. Reading takes
 * rows that older and newer programs wrote: a member it does not know is passed over, a missing one has a fallback.
 */
interface Rows<T extends Stored> {
    Kind<T> kind();

    @Nullable
    String reference(T row);

    /** What the row is counted under; null where nothing counts rows of this kind. */
    default @Nullable String label(T row) {
        return null;
    }

    void write(T row, DocumentOut document);

    /** Reads the columns that every statement over documents selects, in their order. */
    default T read(ResultSet row) throws SQLException {
        Head head = new Head(
                UUID.fromString(row.getString(1)),
                UUID.fromString(row.getString(2)),
                EpochNanos.toInstant(row.getLong(3)),
                row.getLong(4));
        return read(head, DocumentIn.of(row.getBytes(5)));
    }

    T read(Head head, DocumentIn document);

    T withVersion(T row, long version);

    /** What the columns of a row say. */
    record Head(UUID id, UUID ownerId, Instant createdAt, long version) {}
}
