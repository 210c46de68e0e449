package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.pipes.wire.TableShape;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Reads single tables again, one after another, on threads of its own while the changes of all tables are followed. What
 * is read goes into a table beside the old one, and so do the changes that come meanwhile: it is registered here before
 * its snapshot is made, so that none is in neither. For the thread that follows the changes.
 */
final class TableResyncs {
    private final Queue<SourceTable> left;
    private final Slot slot;
    private final Supplier<SnapshotLoad> loads;

    private @Nullable Reading reading;

    /** One table that is being read. */
    private record Reading(SourceTable table, SnapshotLoad load, Snapshot snapshot, Future<Boolean> work) {}

    /** The connection that makes a snapshot, which can take as long as the oldest transaction of the source is open. */
    private static final class Snapshot {
        private @Nullable Connection connection;
        private boolean over;

        synchronized void by(Connection making) throws SQLException {
            connection = making;
            if (over) {
                making.abort(Runnable::run);
            }
        }

        synchronized void giveUp() throws SQLException {
            over = true;
            if (connection != null) {
                // The source does not notice that a client is gone while it waits for a transaction.
                connection.unwrap(PGConnection.class).cancelQuery();
                connection.abort(Runnable::run);
            }
        }
    }

    /** {@code tables} are in the order in which they are read. */
    TableResyncs(List<SourceTable> tables, Slot slot, Supplier<SnapshotLoad> loads) {
        this.left = new ArrayDeque<>(tables);
        this.slot = slot;
        this.loads = loads;
    }

    /** Begins with the next table, if none is being read. */
    void begin() throws Trouble, InterruptedException {
        if (reading == null && !left.isEmpty()) {
            SourceTable table = left.remove();
            SnapshotLoad load = loads.get();
            try (Destination.Use _ = load.use()) {
                load.begin(table);
            }
            Snapshot snapshot = new Snapshot();
            reading = new Reading(table, load, snapshot, load.threads().submit(() -> read(table, load, snapshot)));
        }
    }

    private boolean read(SourceTable table, SnapshotLoad load, Snapshot snapshot)
            throws Trouble, SQLException, InterruptedException {
        try (Destination.Use _ = load.use();
                Connection replication = load.login().openReplication()) {
            snapshot.by(replication);
            boolean all = load.read(List.of(table), slot.snapshot(replication));
            slot.drop(replication);
            return all;
        }
    }

    /** The table that takes the rows of this one too, while this one is being read. */
    Optional<String> side(SourceTable table) {
        Reading now = reading;
        return now == null || !now.table().mapping().equals(table.mapping())
                ? Optional.empty()
                : Optional.of(now.load().side(table))
                        .filter(side -> !side.equals(table.mapping().target()));
    }

    /** Whether a table was read that can take its place now: nothing of its changes may be on the way. */
    boolean isRead() throws Trouble, SQLException, InterruptedException {
        Reading now = reading;
        return now != null && now.work().isDone() && result(now.work());
    }

    void place() throws Trouble, InterruptedException {
        Reading now = reading;
        if (now != null) {
            try (Destination.Use _ = now.load().use()) {
                now.load().place(List.of(now.table()));
            }
            reading = null;
        }
    }

    /**
     * The source emptied this table: what is there now comes as changes, and nothing of before may come after. Answers
     * with the table to be emptied too, if this one is being read.
     */
    Optional<TableShape> emptied(SourceTable table) throws SQLException, InterruptedException {
        Reading now = reading;
        if (now == null || side(table).isEmpty()) {
            return Optional.empty();
        }
        end(now);
        reading = new Reading(now.table(), now.load(), now.snapshot(), CompletableFuture.completedFuture(true));
        return Optional.of(now.load().shape(table));
    }

    /** What a person is told while a table is being read; empty otherwise. */
    String sentence() {
        Reading now = reading;
        return now == null ? "" : "The table " + now.table().mapping().target() + " is being read again.";
    }

    /** Gives up what is being read; the next look at the source begins where it was. */
    void giveUp() throws SQLException, InterruptedException {
        Reading now = reading;
        if (now != null) {
            end(now);
        }
    }

    /** Returns once nothing of it is written any more. */
    private static void end(Reading now) throws SQLException, InterruptedException {
        now.load().stop();
        now.snapshot().giveUp();
        try {
            now.work().get();
        } catch (ExecutionException given) {
            System.err.println(
                    "The table " + now.table().mapping().target() + " was not read to its end: " + given.getMessage());
        }
    }

    private static boolean result(Future<Boolean> work) throws Trouble, SQLException, InterruptedException {
        try {
            return work.get();
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case Trouble trouble -> throw trouble;
                case SQLException error -> throw error;
                case null, default -> throw new IllegalStateException(failed.getCause());
            }
        }
    }
}
