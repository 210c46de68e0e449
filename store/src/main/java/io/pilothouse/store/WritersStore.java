package io.pilothouse.store;

import io.pilothouse.store.RecentRows.Change;
import java.sql.SQLException;
import java.util.List;

/** The store behind a {@link GroupWriter}: how its connection is opened, and how a group begins and ends there. */
interface WritersStore {
    /** A connection on which transactions begin and end by statements. */
    Sql open() throws SQLException;

    /** Begins a transaction beside which nobody else writes rows. */
    void begin(Sql sql) throws SQLException;

    /** Commits to the disk what changed these rows. */
    void commit(Sql sql, List<Change> changes) throws SQLException;

    /** The tables of one write, which adds what it changes to these changes. */
    Transaction transaction(Sql sql, List<Change> changes, long seed);

    /** Whether changes are gathered and sent together, so that a fault may come out at another write than its own. */
    boolean gathers();
}
