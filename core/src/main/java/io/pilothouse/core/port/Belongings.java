package io.pilothouse.core.port;

import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything that belongs to one organization, or to all of them where no organization is named: its rows, whatever
 * they hang under, with their tasks, kept answers and counts. Not the keys of the store, and not who has which port.
 */
public interface Belongings {
    /** Hands over each row; what {@code to} throws ends it. */
    void each(@Nullable UUID organizationId, Consumer<KeptRow> to);

    /** Removes all of it and gives the ids of the rows that are gone; their ports are not given back by this. */
    Set<UUID> remove(@Nullable UUID organizationId);

    /**
     * Puts rows in that were handed over before and are not there now, and gives their ids. Their versions start
     * anywhere, and nobody has a claim on their tasks, so that nothing that was read or claimed before fits any of them.
     * What was unsettled counts as unsettled from now on.
     */
    Set<UUID> put(Collection<KeptRow> rows, Instant now);
}
