package io.pilothouse.store;

import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** The connections that read from SQLite, opened as they are needed; whoever finds none free waits outside SQLite. */
final class ReadPool {
    private final SqliteFile file;
    private final Dialect dialect;
    private final Nesting nesting;
    private final Limits limits;
    private final Semaphore free;
    private final ConcurrentLinkedDeque<Sql> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    ReadPool(SqliteFile file, Dialect dialect, Nesting nesting, Limits limits) {
        this.file = file;
        this.dialect = dialect;
        this.nesting = nesting;
        this.limits = limits;
        this.free = new Semaphore(limits.readConnections());
    }

    <T> T read(Function<Tables, T> work) {
        takeTurn();
        Sql sql = null;
        boolean sound = false;
        try {
            sql = connection();
            sql.change("BEGIN");
            T result = new Transaction(sql, dialect, false).run(nesting, work);
            sql.change("COMMIT");
            sound = true;
            return result;
        } catch (SQLException e) {
            throw dialect.translate(e);
        } finally {
            if (sql != null) {
                giveBack(sql, sound);
            }
            free.release();
        }
    }

    private Sql connection() throws SQLException {
        if (closed) {
            throw new StoreUnavailable("The store is closed", new RejectedExecutionException());
        }
        Sql sql = idle.pollFirst();
        return sql == null ? file.openForReading() : sql;
    }

    private void giveBack(Sql sql, boolean sound) {
        if ((sound || rollBack(sql)) && !closed) {
            idle.addFirst(sql);
        } else {
            SqliteFile.closeQuietly(sql);
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
            SqliteFile.closeQuietly(sql);
        }
    }
}
