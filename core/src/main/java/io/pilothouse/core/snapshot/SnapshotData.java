package io.pilothouse.core.snapshot;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * What services have beside their rows: the data of their databases, and the files of their backups. Called one at a
 * time, and but for the laying out of copies while no pass runs.
 *
 * <p>Everything throws {@link io.pilothouse.core.base.Refused} with a sentence where it cannot be done.
 */
public interface SnapshotData {
    /** Ends the databases of these services; the engine starts those again that are to run. */
    void end(Set<UUID> services);

    /** Keeps copies of what these services have, none of which runs, and gives their size. */
    long keep(String snapshot, Set<UUID> services);

    /** Removes the copies of all other snapshots, and what an attempt that was killed has left of one. */
    void keepOnly(Set<String> snapshots);

    /**
     * Lays out copies of what services have in a snapshot: {@code services} says which service of now gets what which
     * service had then, and {@code ids} gives the id that a thing of then has now.
     */
    Copies layOut(String snapshot, Map<UUID, UUID> services, UnaryOperator<UUID> ids);

    /** Copies that are laid out, and take the place of what services have in one step each. */
    interface Copies {
        /** The id that tells them from others. */
        UUID id();

        /** Notes that these services, which there were no copies for, have nothing once the copies are in place. */
        void alsoEmpty(Set<UUID> services);

        /** Puts them in place; may be repeated, by a later start too, until all are. */
        void putInPlace();

        void discard();
    }
}
