package io.pilothouse.store;

import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.store.RecentRows.Change;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Writes to a server that other processes write to as well, in turns: each group waits for a lock that only one of them
 * has. What it then reads row by row stays as it is until it commits, but for tasks, which are claimed meanwhile.
 */
record PostgresWriting(DataSource server, Dialect dialect, Supplier<List<String>> hosts) implements WritersStore {
    /** Schemas of one database are stores of their own; the number is the same in every version of the program. */
    private static final String BEGIN =
            "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(5045107, hashtext(current_schema()))";

    @Override
    public Sql open() {
        try {
            return new Sql(server.getConnection());
        } catch (SQLException e) {
            throw new StoreUnavailable("The store cannot be reached: " + e.getMessage(), e);
        }
    }

    @Override
    public void begin(Sql sql) throws SQLException {
        sql.once(BEGIN);
    }

    @Override
    public void commit(Sql sql, List<Change> changes) {
        try {
            sql.once("COMMIT");
        } catch (SQLException e) {
            throw new StoreUnavailable("The connection failed in a commit, which may or may not stand", e);
        }
    }

    @Override
    public Transaction transaction(Sql sql, List<Change> changes, long seed) {
        return new Transaction(sql, dialect, true, seed).workingFor(hosts.get());
    }

    @Override
    public boolean gathers() {
        return true;
    }
}
