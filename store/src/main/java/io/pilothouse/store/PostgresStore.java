package io.pilothouse.store;

import com.zaxxer.hikari.HikariDataSource;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Wake;
import io.pilothouse.store.allowance.SharedAllowances;
import io.pilothouse.store.recent.RecentRows;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The store in a PostgreSQL server, which several processes may share. Writes queue for one thread of this process, and one
 * process at a time writes. Reads, and what touches tasks alone, run beside it on their callers' threads.
 */
public final class PostgresStore implements Store {
    private static final long MAX_PAUSE_MILLIS = 200;
    private static final String SERVER_TIME = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

    private final DataSource server;
    private final HikariDataSource pool;
    private final HikariDataSource poolOfTheEngine;
    private final HikariDataSource poolForTasks;
    private final Dialect dialect = new PostgresDialect();
    private final Nesting nesting = new Nesting();
    private final StoreMetrics metrics;
    private final PostgresReads reads;
    private final GroupWriter writer;

    private final @Nullable DataFolder folder;
    private final @Nullable HeldConnections held;
    private volatile @Nullable Bell bell;
    private volatile boolean failing;
    private volatile List<String> hosts = List.of(TaskTable.ANY);

    private PostgresStore(
            DataSource server,
            HikariDataSource pool,
            @Nullable DataFolder folder,
            @Nullable HeldConnections held,
            ThreadFactory threads,
            StoreMetrics metrics) {
        this.server = server;
        this.pool = pool;
        this.poolOfTheEngine = PostgresOpening.poolOfTheEngine(server);
        this.poolForTasks = PostgresOpening.poolForTasks(server);
        this.folder = folder;
        this.held = held;
        this.metrics = metrics;
        RecentRows recent = new RecentRows();
        this.reads = new PostgresReads(server, dialect, nesting, recent, () -> hosts);
        PostgresOpening.Writing writing = new PostgresOpening.Writing(server, dialect, recent, () -> hosts);
        this.writer = new GroupWriter(writing, null, nesting, Limits.ofAServer(), threads, metrics);
        writer.start();
    }

    /**
     * Connects to the server and migrates the schema if need be.
     *
     * @param threads makes the one writer, which must be a platform thread
     * @throws StoreRefused with a sentence if the server cannot be reached, or the store is not this program's
     */
    public static PostgresStore open(
            String url, String user, String password, ThreadFactory threads, StoreMetrics metrics) {
        DataSource server = PostgresOpening.at(new PGSimpleDataSource(), url, user, password);
        HikariDataSource pool = PostgresOpening.pool(server);
        try {
            PostgresOpening.migrate(pool);
            return new PostgresStore(server, pool, null, null, threads, metrics);
        } catch (SQLException e) {
            pool.close();
            throw PostgresOpening.cannotBeOpened(e);
        } catch (RuntimeException | Error e) {
            pool.close();
            throw e;
        }
    }

    /**
     * Opens the store for a process that shares neither it nor its data folder with another one.
     *
     * @throws StoreRefused if another process has one of them, or as {@link #open} does
     */
    public static PostgresStore openAlone(
            Path folder, String url, String user, String password, ThreadFactory threads, StoreMetrics metrics) {
        return open(folder, new HeldConnections(false), url, user, password, threads, metrics);
    }

    /**
     * Opens the store for a process that shares it with others that were opened so, and its data folder with nobody. No
     * other one can be opened before {@link #started}.
     *
     * @throws StoreRefused if another process has it to itself, or as {@link #open} does
     */
    public static PostgresStore openShared(
            Path folder, String url, String user, String password, ThreadFactory threads, StoreMetrics metrics) {
        return open(folder, new HeldConnections(true), url, user, password, threads, metrics);
    }

    private static PostgresStore open(
            Path folder,
            HeldConnections held,
            String url,
            String user,
            String password,
            ThreadFactory threads,
            StoreMetrics metrics) {
        DataFolder taken = DataFolder.take(folder);
        try {
            PostgresOpening.at(held, url, user, password);
            PostgresOpening.take(held);
            return new PostgresStore(held, PostgresOpening.pool(held), taken, held, threads, metrics);
        } catch (RuntimeException | Error e) {
            PostgresOpening.end(held);
            taken.close();
            throw e;
        }
    }

    /** From now on this process claims the tasks of this host too. */
    public void workFor(UUID hostId) {
        hosts = List.of(hostId.toString(), TaskTable.ANY);
    }

    /** The start of this process is over: others may be opened. */
    public void started() {
        if (held != null) {
            PostgresOpening.end(held);
        }
    }

    /** Wakes this process when another has left work in the store, from now on, and the others when this one has. */
    public void share(Wake wake, ThreadFactory threads) {
        if (held != null) {
            Bell made = new Bell(pool, held, wake, threads);
            made.start();
            bell = made;
        }
    }

    /** What all processes of this store count together, over connections that the caller closes. */
    public SharedAllowances allowances() {
        return new SharedAllowances(PostgresOpening.poolOfAllowances(server));
    }

    /** The server's time, and the moment on the clock of this machine that nobody sets at which it was that. */
    public record ServerTime(Instant time, long tick, Duration trip) {}

    /**
     * Asks the server for the time.
     *
     * @throws StoreUnavailable if it cannot be asked
     */
    public ServerTime serverTime() {
        Sql sql = PostgresReads.connect(poolOfTheEngine);
        try {
            long asked = System.nanoTime();
            long micros = sql.list(SERVER_TIME, row -> row.getLong(1)).getFirst();
            long trip = System.nanoTime() - asked;
            return new ServerTime(
                    Instant.EPOCH.plus(micros, ChronoUnit.MICROS), asked + trip / 2, Duration.ofNanos(trip));
        } catch (SQLException e) {
            throw dialect.translate(e);
        } finally {
            // The pool rolls back what was not committed.
            sql.closeQuietly();
        }
    }

    @Override
    public <T> T read(Function<Tables, T> work) {
        return read(pool, work);
    }

    @Override
    public <T> T write(Function<Tables, T> work) {
        return write(work, WriteQueue.Lane.REQUESTS);
    }

    @Override
    public <T> T writeTasks(Function<Tasks, T> work) {
        Transaction outer = nesting.current();
        Function<Tables, T> ofTables = tables -> work.apply(tables.tasks());
        return outer == null
                ? written(() -> untilNoClash(tried -> changeTasks(ringing(ofTables))))
                : nesting.write(outer, ofTables);
    }

    @Override
    public Store forTheEngine() {
        return new ForTheEngine();
    }

    private final class ForTheEngine implements Store {
        @Override
        public <T> T read(Function<Tables, T> work) {
            return PostgresStore.this.read(poolOfTheEngine, work);
        }

        @Override
        public <T> T write(Function<Tables, T> work) {
            return PostgresStore.this.write(work, WriteQueue.Lane.ENGINE);
        }

        @Override
        public <T> T writeTasks(Function<Tasks, T> work) {
            return PostgresStore.this.writeTasks(work);
        }

        @Override
        public boolean reachable() {
            return PostgresStore.this.reachable();
        }

        @Override
        public Optional<String> writeFault() {
            return PostgresStore.this.writeFault();
        }

        @Override
        public void close() {
            PostgresStore.this.close();
        }
    }

    private <T> T read(HikariDataSource from, Function<Tables, T> work) {
        Transaction outer = nesting.current();
        return outer == null ? untilNoClash(tried -> reads.read(from, tried == 1, work)) : nesting.read(outer, work);
    }

    private <T> T write(Function<Tables, T> work, WriteQueue.Lane lane) {
        Transaction outer = nesting.current();
        return outer == null ? written(() -> writer.write(ringing(work), lane)) : nesting.write(outer, work);
    }

    /** Has the other processes hear of tasks that were woken. */
    private <T> Function<Tables, T> ringing(Function<Tables, T> work) {
        return tables -> {
            T result = work.apply(tables);
            Bell others = bell;
            if (others != null && ((Transaction) tables).hasWoken()) {
                tables.afterCommit(others::ring);
            }
            return result;
        };
    }

    private <T> T written(Supplier<T> writing) {
        try {
            T result = writing.get();
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
                write(tables -> ((Transaction) tables).writeTrivially(), WriteQueue.Lane.ENGINE);
            } catch (StoreUnavailable e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }
        return Optional.empty();
    }

    private static <T> T untilNoClash(IntFunction<T> attempt) {
        for (int tried = 1; ; tried++) {
            try {
                return attempt.apply(tried);
            } catch (Clash e) {
                if (tried == GroupWriter.TRIES) {
                    throw e.everyTime();
                }
                pause(tried);
            }
        }
    }

    /** Each statement sees what was committed before it. */
    private <T> T changeTasks(Function<Tables, T> work) {
        Sql sql = PostgresReads.connect(poolForTasks);
        Transaction transaction = Transaction.ofTasks(sql, dialect).workingFor(hosts);
        T result;
        try {
            sql.gather(true);
            result = transaction.run(nesting, work);
            sql.send();
            commit(sql);
        } catch (SQLException e) {
            throw dialect.translate(e);
        } finally {
            sql.closeQuietly();
        }
        Transaction.run(transaction.nudges());
        return result;
    }

    private void commit(Sql sql) {
        long began = System.nanoTime();
        try {
            sql.connection().commit();
        } catch (SQLException e) {
            RuntimeException failure = dialect.translate(e);
            throw failure instanceof Clash
                    ? failure
                    : new StoreUnavailable("The connection failed in a commit, which may or may not stand", e);
        }
        metrics.committed(1, Duration.ofNanos(System.nanoTime() - began));
    }

    private static void pause(int tried) {
        long longest = Math.min(MAX_PAUSE_MILLIS, 2L << tried);
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(longest));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailable("The transaction was interrupted between two tries", e);
        }
    }

    @Override
    public boolean reachable() {
        try {
            return read(Migrations::arePresent);
        } catch (RuntimeException e) {
            return false;
        }
    }

    @Override
    public void close() {
        started();
        writer.close();
        Bell others = bell;
        if (others != null) {
            others.close();
            if (!failing) {
                // The others go on with what this process has given back.
                others.send();
            }
        }
        reads.close();
        pool.close();
        poolOfTheEngine.close();
        poolForTasks.close();
        if (folder != null) {
            folder.close();
        }
    }
}
