package io.pilothouse.store;

import io.pilothouse.store.RecentRows.Change;
import java.sql.SQLException;
import java.util.List;

/** Writes to a file, whose rows may be in memory too. */
record SqliteWriting(SqliteFile file, Dialect dialect, RecentRows recent) implements WritersStore {
    @Override
    public Sql open() throws SQLException {
        return file.openForWriting();
    }

    @Override
    public void begin(Sql sql) throws SQLException {
        sql.change("BEGIN IMMEDIATE");
    }

    @Override
    public void commit(Sql sql, List<Change> changes) throws SQLException {
        recent.commitBegins(changes);
        try {
            sql.change("COMMIT");
        } finally {
            recent.commitEnded();
        }
    }

    @Override
    public Transaction transaction(Sql sql, List<Change> changes, long seed) {
        return Transaction.writing(sql, dialect, changes, seed);
    }

    @Override
    public boolean gathers() {
        return false;
    }
}
