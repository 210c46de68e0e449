package io.pilothouse.store.recent;

import io.pilothouse.core.base.Stored;
import java.util.Optional;
import java.util.function.Supplier;

/** The rows as one transaction sees them: those that were read recently where it may, otherwise those that it queries. */
public interface RecentView {
    <T extends Stored> Optional<T> byId(Object kind, Object id, Supplier<Optional<T>> query);

    <T extends Stored> Optional<T> byReference(Object kind, Object reference, Supplier<Optional<T>> query);

    /**
     * Called after each query, the first of which has fixed what a reading transaction sees. False if rows were found that
     * may not be what it sees, so that its work has to run again.
     */
    boolean queried();
}
