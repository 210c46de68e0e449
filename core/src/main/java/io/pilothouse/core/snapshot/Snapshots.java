package io.pilothouse.core.snapshot;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.port.KeptRow;
import java.util.List;
import java.util.Optional;

/**
 * Where snapshots are kept: each is there whole or not at all. Safe for many threads.
 *
 * <p>Everything throws {@link io.pilothouse.core.base.Refused} with a sentence where a snapshot cannot be written or
 * read.
 */
public interface Snapshots {
    /** Keeps it unless its name is taken, and says whether it was free. */
    boolean keep(Snapshot snapshot, List<KeptRow> rows);

    /** All of them, the oldest first. */
    List<Snapshot> list();

    Optional<Snapshot> find(String name);

    /** Its rows; empty if it is gone by now. */
    Optional<List<KeptRow>> rows(String name);

    /** Removes it and says whether it was there. */
    boolean delete(String name);

    /** How much room all of them take where they are kept. */
    long bytes();

    /** Whether it is the row of a thing, and not of a task, a kept answer or a count. */
    boolean isThing(KeptRow row);

    /** The thing that a row of its table holds. */
    <T extends Stored> T read(Kind<T> kind, KeptRow row);

    /** The row that holds this thing. */
    <T extends Stored> KeptRow write(Kind<T> kind, T thing);
}
