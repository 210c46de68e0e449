package io.pilothouse.store;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import io.pilothouse.store.recent.Changes;
import io.pilothouse.store.recent.RecentRows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.sqlite.SQLiteErrorCode;

/**
 * The embedded store: one SQLite file in a data folder that this process has to itself. Writes queue for one thread
 * that commits them in groups; reads run beside it on snapshots of their own and never wait for it.
 */
public final class SqliteStore implements Store {
    static final String FILE = "pilothouse.db";

    private final DataFolder folder;
    private final Nesting nesting = new Nesting();
    private final ReadPool reads;
    private final GroupWriter writer;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean failing;

    /**
     * Opens the store in this folder, making or migrating it if need be.
     *
     * @param threads makes the one writer, which must be a platform thread
     * @throws StoreRefused with a sentence if the folder is in use or unusable, or the store is not this program's
     */
    public static SqliteStore open(Path folder, ThreadFactory threads, StoreMetrics metrics) {
        return open(folder, threads, metrics, Limits.standard());
    }

    /** Whether opening this folder finds a store, or makes one. */
    public static boolean isIn(Path folder) {
        return Files.exists(folder.resolve(FILE));
    }

    static void requireIsIn(Path folder) {
        if (!isIn(folder)) {
            throw new StoreRefused("There is no store in " + folder + ".");
        }
    }

    static SqliteStore open(Path folder, ThreadFactory threads, StoreMetrics metrics, Limits limits) {
        DataFolder taken = DataFolder.take(folder);
        try {
            return new SqliteStore(taken, threads, metrics, limits);
        } catch (SQLException e) {
            taken.close();
            throw new StoreRefused("The store in " + folder + " cannot be opened: " + reason(e) + ".", e);
        } catch (RuntimeException | Error e) {
            taken.close();
            throw e;
        }
    }

    private SqliteStore(DataFolder folder, ThreadFactory threads, StoreMetrics metrics, Limits limits)
            throws SQLException {
        this.folder = folder;
        SqliteDialect dialect = new SqliteDialect();
        SqliteFile file = new SqliteFile(folder.file(FILE));
        RecentRows recent = new RecentRows();
        this.reads = new ReadPool(file, dialect, nesting, limits, recent);
        Sql connection = file.openForWriting();
        try {
            migrate(connection, dialect, folder);
            this.writer =
                    new GroupWriter(new Writing(file, dialect, recent), connection, nesting, limits, threads, metrics);
        } catch (SQLException | RuntimeException | Error e) {
            connection.closeQuietly();
            throw e;
        }
        writer.start();
    }

    /** The form that this program gives a store. */
    public static int form() {
        return Migrations.ofThisProgram().newestForm();
    }

    /** The store in a folder as a file of this program's form, for one who needs no store. */
    static Sql openFile(DataFolder folder) throws SQLException {
        Sql sql = new SqliteFile(folder.file(FILE)).openForWriting();
        try {
            migrate(sql, new SqliteDialect(), folder);
            return sql;
        } catch (SQLException | RuntimeException | Error e) {
            sql.closeQuietly();
            throw e;
        }
    }

    private static void migrate(Sql sql, Dialect dialect, DataFolder folder) throws SQLException {
        Migrations migrations = Migrations.ofThisProgram();
        if (!migrations.missing(sql, dialect).isEmpty()) {
            int form = Migrations.form(sql, dialect);
            if (form > 0) {
                new StoreCopies(folder).keep(sql, form);
            }
            sql.change("BEGIN IMMEDIATE");
            migrations.apply(sql);
            sql.change("COMMIT");
        }
    }

    private static String reason(SQLException fault) {
        return SqliteDialect.code(fault) == SQLiteErrorCode.SQLITE_NOTADB
                ? "its file is not a database"
                : String.valueOf(fault.getMessage());
    }

    @Override
    public <T> T read(Function<Tables, T> work) {
        Transaction outer = nesting.current();
        return outer == null ? reads.read(work) : nesting.read(outer, work);
    }

    @Override
    public <T> T write(Function<Tables, T> work) {
        return write(work, WriteQueue.Lane.REQUESTS);
    }

    private <T> T write(Function<Tables, T> work, WriteQueue.Lane lane) {
        Transaction outer = nesting.current();
        return outer == null ? written(work, lane) : nesting.write(outer, work);
    }

    private <T> T written(Function<Tables, T> work, WriteQueue.Lane lane) {
        try {
            T result = writer.write(work, lane);
            failing = false;
            return result;
        } catch (StoreUnavailable e) {
            failing = true;
            throw e;
        }
    }

    @Override
    public Optional<String> writeFault() {
        if (failing) {
            try {
                written(tables -> ((Transaction) tables).writeTrivially(), WriteQueue.Lane.ENGINE);
            } catch (StoreUnavailable e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }
        return Optional.empty();
    }

    @Override
    public Store forTheEngine() {
        return new ForTheEngine();
    }

    private final class ForTheEngine implements Store {
        @Override
        public <T> T read(Function<Tables, T> work) {
            return SqliteStore.this.read(work);
        }

        @Override
        public <T> T write(Function<Tables, T> work) {
            return SqliteStore.this.write(work, WriteQueue.Lane.ENGINE);
        }

        @Override
        public boolean reachable() {
            return SqliteStore.this.reachable();
        }

        @Override
        public Optional<String> writeFault() {
            return SqliteStore.this.writeFault();
        }

        @Override
        public void close() {
            SqliteStore.this.close();
        }
    }

    @Override
    public boolean reachable() {
        try {
            return reads.read(Migrations::arePresent);
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Ends what was begun: writes that wait are written, reads that run end, and the log is folded into the file. */
    @Override
    public void close() {
        if (nesting.current() != null) {
            throw new IllegalStateException("Work cannot close the store that it runs in");
        }
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        reads.close();
        // A writer that hangs in the disk still owns the file: its lock then ends with the process.
        if (writer.close()) {
            folder.close();
        }
    }

    /** Writes to a file, whose rows may be in memory too. */
    private record Writing(SqliteFile file, Dialect dialect, RecentRows recent) implements GroupWriter.Target {
        @Override
        public Sql open() throws SQLException {
            return file.openForWriting();
        }

        @Override
        public void begin(Sql sql) throws SQLException {
            sql.change("BEGIN IMMEDIATE");
        }

        @Override
        public void commit(Sql sql, Changes changes) throws SQLException {
            recent.commitBegins(changes);
            try {
                sql.change("COMMIT");
            } finally {
                recent.commitEnded();
            }
        }

        @Override
        public Transaction transaction(Sql sql, Changes changes, long seed) {
            return Transaction.writing(sql, dialect, recent.writing(changes), changes, seed);
        }

        @Override
        public boolean gathers() {
            return false;
        }
    }
}
