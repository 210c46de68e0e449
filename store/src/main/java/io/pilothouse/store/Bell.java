package io.pilothouse.store;

import io.pilothouse.core.base.Rounds;
import io.pilothouse.core.port.Wake;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Wakes the other processes on a store when there is work in it, and this one when they do: by a notification of the
 * server, which is sent after a commit and not within it, and is one for all commits since the last. One that is lost
 * costs the time until the next look at the store and nothing else. Safe for many threads.
 */
final class Bell implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Bell.class.getName());

    /** Schemas of one database are stores of their own. */
    private static final String CHANNEL = "'pilothouse_' || hashtext(current_schema())";

    private static final String NOTIFY = "SELECT pg_notify(" + CHANNEL + ", ?)";

    /** A notification is lost with a server that dies, and need not wait for its disk. */
    private static final String WITHOUT_THE_DISK = "SET LOCAL synchronous_commit = off";

    /** The least time between two notifications of a process, each of which makes every other look at the store. */
    private static final Duration BETWEEN = Duration.ofMillis(20);

    private static final Duration BEFORE_THE_NEXT_TRY = Duration.ofSeconds(1);

    /** After a silence of this length the server is asked whether it is still there. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private final DataSource pool;
    private final DataSource connections;
    private final Wake wake;

    /** The server sends a notification to its sender too. */
    private final String me = UUID.randomUUID().toString();

    private final Semaphore rung = new Semaphore(0);
    private final Rounds sending = new Rounds();
    private final Rounds hearing = new Rounds();
    private final Thread sender;
    private final Thread listener;

    private final Object closing = new Object();
    private @Nullable Connection heard;
    private boolean closed;

    /** Sends over the pool, and listens on a connection of its own. */
    Bell(DataSource pool, DataSource connections, Wake wake, ThreadFactory threads) {
        this.pool = pool;
        this.connections = connections;
        this.wake = wake;
        this.sender = threads.newThread(() -> sending.run(BETWEEN, this::sendOnceRung));
        this.listener = threads.newThread(() -> hearing.run(BEFORE_THE_NEXT_TRY, this::listen));
    }

    void start() {
        sender.start();
        listener.start();
    }

    /** There is work for anybody; the others hear it a moment later. */
    void ring() {
        rung.release();
    }

    private void sendOnceRung() {
        try {
            rung.acquire();
            rung.drainPermits();
            send();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends one notification now, unless the server cannot be reached. */
    void send() {
        try (Sql sql = new Sql(pool.getConnection())) {
            sql.once(WITHOUT_THE_DISK);
            sql.list(NOTIFY, row -> row.getString(1), me);
            sql.connection().commit();
        } catch (SQLException e) {
            // The engine logs an outage of the store.
            LOG.log(Level.DEBUG, "The other processes were not notified", e);
        }
    }

    /** Listens until the connection fails. */
    private void listen() {
        try (Sql sql = new Sql(connections.getConnection())) {
            if (!keep(sql.connection())) {
                return;
            }
            String channel =
                    sql.list("SELECT " + CHANNEL, row -> row.getString(1)).getFirst();
            sql.once("LISTEN \"" + channel + "\"");
            // What was sent before it listened is in the store.
            wake.nudge();
            while (!Thread.currentThread().isInterrupted()) {
                hear(sql);
            }
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "The other processes are not heard", e);
        } catch (RuntimeException unexpected) {
            // Its thread goes on: nothing else would listen from then on.
            LOG.log(Level.WARNING, "Listening to the other processes failed", unexpected);
        }
    }

    private void hear(Sql sql) throws SQLException {
        PGNotification[] notifications =
                sql.connection().unwrap(PGConnection.class).getNotifications((int) SILENCE.toMillis());
        if (notifications == null || notifications.length == 0) {
            sql.list("SELECT 1", row -> row.getInt(1));
            return;
        }
        for (PGNotification notification : notifications) {
            if (!notification.getParameter().equals(me)) {
                wake.nudge();
                return;
            }
        }
    }

    /** Remembers the connection, so that it can be ended while its thread waits on it; false if it is too late. */
    private boolean keep(Connection connection) {
        synchronized (closing) {
            heard = connection;
            return !closed;
        }
    }

    @Override
    public void close() {
        sending.close();
        hearing.close();
        sender.interrupt();
        listener.interrupt();
        synchronized (closing) {
            closed = true;
            if (heard != null) {
                end(heard);
            }
        }
    }

    private static void end(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A connection to the store did not close well", e);
        }
    }
}
