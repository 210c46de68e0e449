package io.pilothouse.store;

import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import io.pilothouse.store.recent.Changes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of this process that writes rows. It puts all writes that wait into one transaction and commits once:
 * many writers share one sync of the disk. No write is answered before that sync. A write that fails takes none of the
 * others with it.
 */
final class GroupWriter {
    private static final System.Logger LOG = System.getLogger(GroupWriter.class.getName());

    private static final int LOOKS_WITHIN_PATIENCE = 8;

    /** How often a write may lose against another process within one group. */
    static final int TRIES = 20;

    private final Target store;
    private final Nesting nesting;
    private final Limits limits;
    private final StoreMetrics metrics;
    private final WriteQueue queue;
    private final Thread thread;
    private final Thread watch;
    private volatile boolean closing;
    private volatile boolean ended;
    private @Nullable Sql connection;

    /** The store behind it: how its connection is opened, and how a group begins and ends there. */
    interface Target {
        /** A connection on which transactions begin and end by statements. */
        Sql open() throws SQLException;

        /** Begins a transaction beside which nobody else writes rows. */
        void begin(Sql sql) throws SQLException;

        /** Commits to the disk what changed these rows. */
        void commit(Sql sql, Changes changes) throws SQLException;

        /** The tables of one write, which adds what it changes to these changes. */
        Transaction transaction(Sql sql, Changes changes, long seed);

        /** Whether changes are gathered and sent together, so that a fault may come out at another write than its own. */
        boolean gathers();
    }

    /** Takes over a connection if one is open, and opens another one should that one fail. */
    GroupWriter(
            Target store,
            @Nullable Sql connection,
            Nesting nesting,
            Limits limits,
            ThreadFactory threads,
            StoreMetrics metrics) {
        this.store = store;
        this.connection = connection;
        this.nesting = nesting;
        this.limits = limits;
        this.metrics = metrics;
        this.queue = new WriteQueue(limits.queuedWrites(), limits.requestsPerPass());
        this.thread = threads.newThread(this::run);
        this.watch = threads.newThread(this::watch);
        watch.setName("store-patience");
        if (thread.isVirtual()) {
            throw new IllegalArgumentException("The writer sits inside the database and would pin its carrier");
        }
    }

    void start() {
        thread.start();
        watch.start();
    }

    <T> T write(Function<Tables, T> work, WriteQueue.Lane lane) {
        QueuedWrite<T> write = new QueuedWrite<>(work);
        if (closing) {
            throw new StoreUnavailable("The store is closed", new RejectedExecutionException());
        }
        if (!queue.offer(write, lane)) {
            throw new StoreUnavailable("The store is too busy", new RejectedExecutionException());
        }
        if (ended) {
            failWhatIsLeft();
        }
        metrics.waiting(queue.size());
        return write.await();
    }

    /** Lets everything that is queued be written, then ends the thread; whether it ended in time. */
    boolean close() {
        closing = true;
        try {
            queue.end();
            thread.join(limits.patience());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    private void run() {
        QueuedWrite<?> write = next();
        while (write != null) {
            writeGroup(write);
            write = next();
        }
        ended = true;
        watch.interrupt();
        failWhatIsLeft();
        abandonConnection();
    }

    /** Keeps no caller waiting for longer than is promised, even while the writer hangs in the disk. */
    private void watch() {
        Duration pause = Duration.ofNanos(limits.patience().toNanos() / LOOKS_WITHIN_PATIENCE);
        while (!ended) {
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                // The writer has ended; any other interrupt is ignored.
            }
            queue.dismiss(limits.patience());
        }
    }

    private @Nullable QueuedWrite<?> next() {
        while (true) {
            try {
                return queue.take();
            } catch (InterruptedException e) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "The writer was interrupted, and goes on until the store closes",
                        e);
            }
        }
    }

    private void writeGroup(QueuedWrite<?> first) {
        List<QueuedWrite<?>> group = new ArrayList<>();
        long commitNanos;
        try {
            if (first.take()) {
                group.add(first);
            }
            Sql sql = begun();
            Changes changes = new Changes();
            runAll(sql, group, changes);
            long began = System.nanoTime();
            store.commit(sql, changes);
            commitNanos = System.nanoTime() - began;
        } catch (SQLException | RuntimeException | Error e) {
            abandonConnection();
            // One exception each, because they end up in as many threads.
            metrics.failed(group.size());
            String sentence = e instanceof StoreUnavailable
                    ? String.valueOf(e.getMessage())
                    : "The write was not kept: " + e.getMessage();
            group.forEach(write -> write.fail(new StoreUnavailable(sentence, e)));
            return;
        }
        group.forEach(QueuedWrite::settle);
        report(group, Duration.ofNanos(commitNanos));
    }

    /** Runs what is in the group, and takes in what comes meanwhile until the group is full. */
    private void runAll(Sql sql, List<QueuedWrite<?>> group, Changes changes) throws SQLException {
        long end = System.nanoTime() + limits.groupTime().toNanos();
        sql.gather(store.gathers());
        for (int ran = 0; ran < group.size(); ran++) {
            Throwable failure = run(sql, group.get(ran), changes);
            if (failure != null) {
                undone(sql, "ROLLBACK", failure);
                // What is gathered fails later than where it was asked for, and perhaps at another one.
                boolean runsAgain = sql.hasGathered() || failure instanceof Clash;
                runEachApart(sql, group.subList(0, runsAgain ? ran + 1 : ran), changes);
                return;
            }
            boolean full = ran + 1 >= limits.groupWrites() || System.nanoTime() >= end;
            while (!full && ran + 1 == group.size()) {
                QueuedWrite<?> next = queue.poll();
                if (next == null) {
                    sendAll(sql, group, changes);
                    return;
                }
                if (next.take()) {
                    group.add(next);
                }
            }
        }
        sendAll(sql, group, changes);
    }

    private void sendAll(Sql sql, List<QueuedWrite<?>> group, Changes changes) throws SQLException {
        try {
            sql.send();
        } catch (SQLException e) {
            undo(sql, "ROLLBACK", e);
            runEachApart(sql, group, changes);
        }
    }

    /**
     * Runs once more what went well before a write that failed, each inside a savepoint. Not so from the start: a
     * savepoint costs SQLite a copy of every page that a write touches, and hardly any fails once it has changed
     * something.
     */
    private void runEachApart(Sql sql, List<QueuedWrite<?>> group, Changes changes) throws SQLException {
        sql.gather(false);
        store.begin(sql);
        for (QueuedWrite<?> write : group) {
            runApart(sql, write, changes);
        }
    }

    private void runApart(Sql sql, QueuedWrite<?> write, Changes changes) throws SQLException {
        Throwable failure;
        int tried = 0;
        do {
            sql.change("SAVEPOINT one");
            failure = run(sql, write, changes);
            if (failure != null) {
                undone(sql, "ROLLBACK TO one", failure);
            }
            sql.change("RELEASE one");
            tried++;
        } while (failure instanceof Clash && tried < TRIES);
        if (failure instanceof Clash clash) {
            write.fail(clash.everyTime());
        }
    }

    /** Runs one write, and returns what it failed with if that leaves something to undo. */
    private @Nullable Throwable run(Sql sql, QueuedWrite<?> write, Changes changes) {
        Transaction transaction = store.transaction(sql, changes, write.seed());
        try {
            write.run(nesting, transaction);
            return null;
        } catch (StoreUnavailable e) {
            if (transaction.leavesSomethingToUndo()) {
                return e;
            }
            metrics.failed(1);
            return null;
        } catch (RuntimeException | Error e) {
            return transaction.leavesSomethingToUndo() ? e : null;
        } finally {
            if (Thread.interrupted()) {
                LOG.log(System.Logger.Level.WARNING, "A write interrupted the writer, which goes on");
            }
        }
    }

    /** One that cannot be undone is counted with its group. */
    private void undone(Sql sql, String statement, Throwable reason) throws SQLException {
        undo(sql, statement, reason);
        if (reason instanceof StoreUnavailable) {
            metrics.failed(1);
        }
    }

    /** Fails when SQLite has ended the whole transaction already, as it does on a full disk. */
    private static void undo(Sql sql, String statement, Throwable reason) throws SQLException {
        try {
            sql.forget();
            sql.change(statement);
        } catch (SQLException e) {
            if (reason instanceof StoreUnavailable unavailable) {
                throw unavailable;
            }
            e.addSuppressed(reason);
            throw e;
        }
    }

    /** A connection with a transaction, made again if it ended while nobody wrote. */
    private Sql begun() throws SQLException {
        Sql open = connection;
        if (open != null) {
            try {
                store.begin(open);
                return open;
            } catch (SQLException e) {
                if (!open.connection().isClosed()) {
                    throw e;
                }
                abandonConnection();
            }
        }
        open = store.open();
        connection = open;
        store.begin(open);
        return open;
    }

    /** Nothing is known of its state any more, so the next group gets a new one. */
    private void abandonConnection() {
        Sql open = connection;
        connection = null;
        if (open != null) {
            open.closeQuietly();
        }
    }

    private void report(List<QueuedWrite<?>> group, Duration took) {
        try {
            int kept = (int) group.stream().filter(QueuedWrite::isKept).count();
            if (kept > 0) {
                metrics.committed(kept, took);
            }
            metrics.waiting(queue.size());
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "The writes are kept, but could not be counted", e);
        }
    }

    private void failWhatIsLeft() {
        for (QueuedWrite<?> write = queue.poll(); write != null; write = queue.poll()) {
            if (write.take()) {
                write.fail(new StoreUnavailable("The store is closed", new RejectedExecutionException()));
            }
        }
    }
}
