package io.pilothouse.store;

import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import io.pilothouse.store.recent.RecentRows;
import io.pilothouse.store.recent.RecentView;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connections that read from SQLite, opened as they are needed; a thread that finds none free waits outside SQLite.
 */
final class ReadPool {
    private final SqliteFile file;
    private final Dialect dialect;
    private final Nesting nesting;
    private final Limits limits;
    private final RecentRows recent;
    private final Semaphore free;
    private final ConcurrentLinkedDeque<Sql> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    ReadPool(SqliteFile file, Dialect dialect, Nesting nesting, Limits limits, RecentRows recent) {
        this.file = file;
        this.dialect = dialect;
        this.nesting = nesting;
        this.limits = limits;
        this.recent = recent;
        this.free = new Semaphore(limits.readConnections());
    }

    <T> T read(Function<Tables, T> work) {
        try {
            return read(recent.reading(), work);
        } catch (Clash commitCameBetween) {
            return read(null, work);
        }
    }

    private <T> T read(@Nullable RecentView view, Function<Tables, T> work) {
        checkOpen();
        Snapshot snapshot = new Snapshot();
        Transaction transaction = Transaction.reading(snapshot::sql, dialect, view);
        try {
            T result = transaction.run(nesting, work);
            snapshot.end();
            return result;
        } catch (SQLException e) {
            throw dialect.translate(e);
        } finally {
            snapshot.giveBack();
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new StoreUnavailable("The store is closed", new RejectedExecutionException());
        }
    }

    /** A transaction on a connection of the pool, begun when there is a first query for it. */
    private final class Snapshot {
        private @Nullable Sql open;
        private boolean sound;

        private Sql sql() throws SQLException {
            Sql sql = open;
            if (sql == null) {
                takeTurn();
                sql = begin();
                open = sql;
            }
            return sql;
        }

        private Sql begin() throws SQLException {
            Sql sql = null;
            boolean begun = false;
            try {
                checkOpen();
                sql = idle.pollFirst();
                sql = sql == null ? file.openForReading() : sql;
                sql.change("BEGIN");
                begun = true;
                return sql;
            } finally {
                if (!begun) {
                    if (sql != null) {
                        sql.closeQuietly();
                    }
                    free.release();
                }
            }
        }

        private void end() throws SQLException {
            if (open != null) {
                open.change("COMMIT");
            }
            sound = true;
        }

        private void giveBack() {
            if (open == null) {
                return;
            }
            if ((sound || rollBack(open)) && !closed) {
                idle.addFirst(open);
            } else {
                open.closeQuietly();
            }
            free.release();
        }
    }

    private static boolean rollBack(Sql sql) {
        try {
            sql.change("ROLLBACK");
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    private void takeTurn() {
        try {
            if (!free.tryAcquire(limits.patience().toNanos(), TimeUnit.NANOSECONDS)) {
                throw new StoreUnavailable(
                        "The store is too busy", new TimeoutException("waited " + limits.patience()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailable("The read was interrupted before it began", e);
        }
    }

    /** Lets no read begin any more, waits for those that run, and closes the connections. */
    void close() {
        closed = true;
        try {
            if (free.tryAcquire(limits.readConnections(), limits.patience().toNanos(), TimeUnit.NANOSECONDS)) {
                free.release(limits.readConnections());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Sql sql = idle.pollFirst(); sql != null; sql = idle.pollFirst()) {
            sql.closeQuietly();
        }
    }
}
