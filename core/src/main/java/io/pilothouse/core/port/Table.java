package io.pilothouse.core.port;

import io.pilothouse.core.base.Stored;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of one kind. Lists are ordered by creation, then id; every lookup but {@code page} costs the same in a store of any size. */
public interface Table<T extends Stored> {
    /** Takes the row in with version 1 and returns it so; an id or unique reference that is taken is a bug and throws. */
    T insert(T row);

    Optional<T> find(UUID id);

    /** Finds a row by its owner and id: a foreign owner's row is not found. */
    default Optional<T> find(UUID ownerId, UUID id) {
        return find(id).filter(row -> row.ownerId().equals(ownerId));
    }

    Optional<T> findByReference(String reference);

    /** At most {@code limit} rows with this reference. */
    List<T> listByReference(String reference, int limit);

    /** At most {@code limit} rows with this reference, from the newest backwards. */
    List<T> newestByReference(String reference, int limit);

    /** At most {@code limit} rows that are counted under this label, which follows from what a row holds. */
    List<T> listByLabel(String label, int limit);

    /** The row under this label that was created last. */
    Optional<T> newestByLabel(String label);

    /** How many rows are counted under this label; costs what it counts and never looks at the rows. */
    long countByLabel(String label);

    /** At most {@code limit} rows of every owner in the order of their ids, from the one after this id on. */
    List<T> all(@Nullable UUID afterId, int limit);

    /** The owner's rows that come after {@code after} (from the start for null), at most {@code limit}. */
    List<T> page(UUID ownerId, @Nullable Cursor after, int limit);

    /** The owner's rows from the newest backwards, before {@code before} (from the end for null), at most {@code limit}. */
    List<T> pageBackwards(UUID ownerId, @Nullable Cursor before, int limit);

    long count(UUID ownerId);

    /**
     * Writes the row over the version that was read, and returns it with the next version; empty when another write was
     * faster.
     */
    Optional<T> replace(T next, long readVersion);

    /** Writes over a row that was read in this same transaction, where a clash would be a bug. */
    default T overwrite(T next) {
        return replace(next, next.version())
                .orElseThrow(() -> new IllegalStateException("A row changed under a transaction: " + next.id()));
    }

    /** Removes the row at the version that was read; false when another write was faster. */
    boolean delete(UUID id, long readVersion);

    /** A place in the order of a table. */
    record Cursor(Instant createdAt, UUID id) {
        public static Cursor of(Stored row) {
            return new Cursor(row.createdAt(), row.id());
        }
    }
}
