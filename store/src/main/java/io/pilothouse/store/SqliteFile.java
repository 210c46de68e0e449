package io.pilothouse.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.sqlite.SQLiteConfig;

/** The database file, and how connections to it are set: one kind that writes, and one that only reads. */
final class SqliteFile {
    private static final List<String> FOR_ALL = List.of("PRAGMA temp_store = MEMORY", "PRAGMA trusted_schema = OFF");

    // FULL: in WAL mode, a commit is on disk when it returns. The full syncs are for macOS, where sync alone is a hint.
    private static final List<String> FOR_THE_WRITER = List.of(
            "PRAGMA busy_timeout = 5000",
            "PRAGMA synchronous = FULL",
            "PRAGMA fullfsync = ON",
            "PRAGMA checkpoint_fullfsync = ON",
            "PRAGMA journal_size_limit = 67108864",
            // A page that changes again and again is written to the file once per this many pages of the log (32 MB).
            "PRAGMA wal_autocheckpoint = 8192",
            // SQLite walks all of it at commits that moved pages; pages beyond it are in the system's cache.
            "PRAGMA cache_size = -8192");

    // Waiting inside SQLite pins a virtual thread's carrier. In WAL mode a reader only ever waits for a connection that
    // has just reopened the file, because the writer had to drop its own.
    private static final List<String> FOR_READERS =
            List.of("PRAGMA busy_timeout = 1000", "PRAGMA query_only = ON", "PRAGMA cache_size = -8192");

    private static final List<String> FOR_COPIES = List.of("PRAGMA busy_timeout = 5000", "PRAGMA cache_size = -8192");

    private final String url;

    SqliteFile(Path path) {
        // A file URI, so that no character of the path means anything to the driver.
        this.url = "jdbc:sqlite:" + path.toAbsolutePath().toUri();
    }

    Sql openForWriting() throws SQLException {
        Sql sql = open(FOR_THE_WRITER);
        List<String> mode = sql.list("PRAGMA journal_mode = WAL", row -> row.getString(1));
        if (!mode.equals(List.of("wal"))) {
            sql.closeQuietly();
            throw new SQLException("its file system cannot hold a write-ahead log");
        }
        return sql;
    }

    /** For whole copies, which are written through the connection, beside a program that has the store open. */
    Sql openForCopying() throws SQLException {
        return open(FOR_COPIES);
    }

    Sql openForReading() throws SQLException {
        return open(FOR_READERS);
    }

    private Sql open(List<String> settings) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        // They are never used, and asking SQLite costs a statement for each insert.
        config.setGetGeneratedKeys(false);
        Connection connection = config.createConnection(url);
        Sql sql = new Sql(connection);
        try {
            for (String setting : FOR_ALL) {
                sql.once(setting);
            }
            for (String setting : settings) {
                sql.once(setting);
            }
            // The driver ends every statement with a begin and commit of its own unless it believes that a transaction
            // is open. It is set so once, and transactions are begun and ended by statements from here on.
            connection.setAutoCommit(false);
            sql.change("COMMIT");
            return sql;
        } catch (SQLException | RuntimeException e) {
            sql.closeQuietly();
            throw e;
        }
    }
}
