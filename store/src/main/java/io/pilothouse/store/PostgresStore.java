package io.pilothouse.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The store in a PostgreSQL server, which several processes may share. A write is serializable: one that clashes with
 * another is run again, a bounded number of times. Work runs on its caller's thread.
 */
public final class PostgresStore implements Store {
    private static final System.Logger LOG = System.getLogger(PostgresStore.class.getName());
    static final int TRIES = 20;
    private static final long MAX_PAUSE_MILLIS = 200;
    private static final int CONNECTIONS = 10;
    private static final long BETWEEN_TRIES_MILLIS = 100;
    private static final Duration LAST_STATEMENT_ENDS_WITHIN = Duration.ofSeconds(10);

    /** How much a transaction has to know of others that run beside it. */
    private enum Isolation {
        /** One snapshot; it neither clashes with a write nor makes one clash. */
        SNAPSHOT(null),
        /** As if alone. */
        ALONE("SERIALIZABLE"),
        /** Row by row: each statement sees what was committed before it. */
        BY_ROW("READ COMMITTED");

        private final @Nullable String level;

        Isolation(@Nullable String level) {
            this.level = level;
        }

        private @Nullable String level() {
            return level;
        }
    }

    /** Any number will do, provided every version of the program takes the same. */
    private static final String ONE_MIGRATION_AT_A_TIME = "SELECT pg_advisory_xact_lock(5045105045)";

    private final HikariDataSource pool;
    private final Dialect dialect = new PostgresDialect();
    private final Nesting nesting = new Nesting();
    private final StoreMetrics metrics;

    private final @Nullable DataFolder folder;
    private volatile boolean failing;

    private PostgresStore(HikariDataSource pool, @Nullable DataFolder folder, StoreMetrics metrics) {
        this.pool = pool;
        this.folder = folder;
        this.metrics = metrics;
    }

    /**
     * Connects to the server and migrates the schema if need be.
     *
     * @throws StoreRefused with a sentence if the server cannot be reached, or the store is not this program's
     */
    public static PostgresStore open(String url, String user, String password, StoreMetrics metrics) {
        HikariDataSource pool = pool(at(new PGSimpleDataSource(), url, user, password));
        try {
            migrate(pool);
            return new PostgresStore(pool, null, metrics);
        } catch (SQLException e) {
            pool.close();
            throw cannotBeOpened(e);
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
    public static PostgresStore openAlone(Path folder, String url, String user, String password, StoreMetrics metrics) {
        DataFolder taken = DataFolder.take(folder);
        try {
            return new PostgresStore(pool(take(url, user, password)), taken, metrics);
        } catch (RuntimeException | Error e) {
            taken.close();
            throw e;
        }
    }

    /** A single connection, for one who needs no store, and alone like one. */
    static Sql connectAlone(String url, String user, String password) throws SQLException {
        return new Sql(take(url, user, password).getConnection());
    }

    /** Waits a little: a process that has just died is not gone before the server has ended its last statement. */
    private static SoleConnections take(String url, String user, String password) {
        SoleConnections connections = at(new SoleConnections(), url, user, password);
        long end = System.nanoTime() + LAST_STATEMENT_ENDS_WITHIN.toNanos();
        try {
            while (!connections.take(PostgresStore::migrate)) {
                if (System.nanoTime() - end > 0) {
                    throw new StoreRefused("Another Pilothouse runs on this store in PostgreSQL, and two cannot share"
                            + " one: stop that one first.");
                }
                TimeUnit.MILLISECONDS.sleep(BETWEEN_TRIES_MILLIS);
            }
            return connections;
        } catch (SQLException e) {
            throw cannotBeOpened(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreRefused("The start was interrupted.", e);
        }
    }

    private static StoreRefused cannotBeOpened(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return new StoreRefused(
                (state.startsWith("08")
                                ? "The PostgreSQL server cannot be reached: "
                                : "The PostgreSQL store cannot be opened: ")
                        + e.getMessage() + ".",
                e);
    }

    private static <S extends PGSimpleDataSource> S at(S source, String url, String user, String password) {
        source.setUrl(url);
        source.setUser(user);
        source.setPassword(password);
        source.setApplicationName("pilothouse");
        source.setConnectTimeout(5);
        source.setSocketTimeout(30);
        source.setTcpKeepAlive(true);
        // The server, too, has to notice that the other side has gone: what it holds is held until then.
        source.setOptions("-c statement_timeout=10s -c lock_timeout=5s -c idle_in_transaction_session_timeout=30s"
                + " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
                + " -c tcp_user_timeout=25000");
        // The detail of a refused statement holds the row's values, and those may be hashes of secrets.
        source.setLogServerErrorDetail(false);
        return source;
    }

    private static HikariDataSource pool(DataSource source) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("pilothouse");
        config.setDataSource(source);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setAutoCommit(false);
        config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        config.setConnectionTimeout(Duration.ofSeconds(5).toMillis());
        try {
            return new HikariDataSource(config);
        } catch (HikariPool.PoolInitializationException e) {
            throw new StoreRefused("The PostgreSQL server cannot be reached: " + e.getMessage() + ".", e);
        }
    }

    private static void migrate(HikariDataSource pool) throws SQLException {
        try (Sql sql = new Sql(pool.getConnection())) {
            migrate(sql);
        }
    }

    private static void migrate(Sql sql) throws SQLException {
        Migrations migrations = Migrations.ofThisProgram();
        boolean missing = !migrations.missing(sql, new PostgresDialect()).isEmpty();
        sql.connection().rollback();
        if (missing) {
            // A step may take longer than any request may.
            sql.connection().setNetworkTimeout(Runnable::run, 0);
            sql.once("SET LOCAL statement_timeout = 0");
            sql.once("SET LOCAL lock_timeout = 0");
            // A process that waited for the lock must see what its holder did, and not the snapshot from before.
            sql.once("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
            sql.once(ONE_MIGRATION_AT_A_TIME);
            migrations.apply(sql);
            sql.connection().commit();
        }
    }

    @Override
    public <T> T read(Function<Tables, T> work) {
        Transaction outer = nesting.current();
        return outer == null ? untilNoClash(Isolation.SNAPSHOT, work) : nesting.read(outer, work);
    }

    @Override
    public <T> T write(Function<Tables, T> work) {
        Transaction outer = nesting.current();
        return outer == null ? written(Isolation.ALONE, work) : nesting.write(outer, work);
    }

    @Override
    public <T> T writeTasks(Function<Tasks, T> work) {
        Transaction outer = nesting.current();
        Function<Tables, T> ofTables = tables -> work.apply(tables.tasks());
        return outer == null ? written(Isolation.BY_ROW, ofTables) : nesting.write(outer, ofTables);
    }

    private <T> T written(Isolation isolation, Function<Tables, T> work) {
        try {
            T result = untilNoClash(isolation, work);
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
                written(Isolation.ALONE, tables -> ((Transaction) tables).writeTrivially());
            } catch (StoreUnavailable e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }
        return Optional.empty();
    }

    private <T> T untilNoClash(Isolation isolation, Function<Tables, T> work) {
        long seed = ThreadLocalRandom.current().nextLong();
        for (int tried = 1; ; tried++) {
            try {
                return once(isolation, work, seed);
            } catch (Clash e) {
                if (tried == TRIES) {
                    throw new StoreUnavailable("The store is too busy: a transaction clashed every time", e);
                }
                pause(tried);
            }
        }
    }

    private <T> T once(Isolation isolation, Function<Tables, T> work, long seed) {
        Sql sql = connect(isolation);
        Transaction transaction = new Transaction(sql, dialect, isolation != Isolation.SNAPSHOT, seed);
        T result;
        try {
            result = transaction.run(nesting, work);
            commit(sql);
        } catch (RuntimeException | Error e) {
            // Work may have wrapped it, but a clash is what it was.
            if (transaction.doom() instanceof Clash clash) {
                throw clash;
            }
            throw e;
        } finally {
            giveBack(sql);
        }
        Transaction.run(transaction.nudges());
        return result;
    }

    private Sql connect(Isolation isolation) {
        Sql sql = null;
        try {
            metrics.waiting(pool.getHikariPoolMXBean().getThreadsAwaitingConnection());
            sql = new Sql(pool.getConnection());
            sql.connection().setReadOnly(isolation == Isolation.SNAPSHOT);
            if (isolation.level() != null) {
                sql.once("SET TRANSACTION ISOLATION LEVEL " + isolation.level());
            }
            return sql;
        } catch (SQLException e) {
            if (sql != null) {
                giveBack(sql);
            }
            throw new StoreUnavailable("The store cannot be reached: " + e.getMessage(), e);
        }
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

    /** The pool rolls back what was not committed. */
    private static void giveBack(Sql sql) {
        try {
            sql.close();
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.WARNING, "A connection to the store did not close well", e);
        }
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
        pool.close();
        if (folder != null) {
            folder.close();
        }
    }
}
