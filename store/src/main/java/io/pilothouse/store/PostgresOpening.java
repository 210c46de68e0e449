package io.pilothouse.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.store.recent.Changes;
import io.pilothouse.store.recent.Moment;
import io.pilothouse.store.recent.RecentRows;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** How a store in PostgreSQL is reached, taken, brought into this program's form, and written to. */
final class PostgresOpening {
    private static final System.Logger LOG = System.getLogger(PostgresOpening.class.getName());
    private static final int CONNECTIONS = 10;
    private static final int CONNECTIONS_OF_THE_ENGINE = 4;
    private static final int CONNECTIONS_FOR_TASKS = 2;
    private static final int CONNECTIONS_OF_ALLOWANCES = 2;
    private static final Duration OF_A_COPY = Duration.ofMinutes(10);
    private static final long BETWEEN_TRIES_MILLIS = 100;
    private static final Duration LAST_STATEMENT_ENDS_WITHIN = Duration.ofSeconds(10);

    /** Any number will do, provided every version of the program takes the same. */
    private static final String ONE_MIGRATION_AT_A_TIME = "SELECT pg_advisory_xact_lock(5045105045)";

    private static final HeldConnections.Opening MIGRATIONS = new HeldConnections.Opening() {
        @Override
        public boolean migrate(Sql sql) throws SQLException {
            return PostgresOpening.migrate(sql);
        }

        @Override
        public void requireNewest(Sql sql) throws SQLException {
            if (!Migrations.ofThisProgram().missing(sql, new PostgresDialect()).isEmpty()) {
                throw new StoreRefused("The store is of an older form than this program's, which cannot be changed"
                        + " while others work on it: stop every Pilothouse on it once.");
            }
        }
    };

    private PostgresOpening() {}

    /** Waits a little: a process that has just died is not gone before the server has ended its last statement. */
    static void take(HeldConnections connections) {
        long end = System.nanoTime() + LAST_STATEMENT_ENDS_WITHIN.toNanos();
        try {
            while (!connections.take(MIGRATIONS)) {
                if (System.nanoTime() - end > 0) {
                    throw new StoreRefused("Another Pilothouse runs on this store in PostgreSQL, and two cannot share"
                            + " one unless both were asked to: stop that one first.");
                }
                TimeUnit.MILLISECONDS.sleep(BETWEEN_TRIES_MILLIS);
            }
        } catch (SQLException e) {
            throw cannotBeOpened(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreRefused("The start was interrupted.", e);
        }
    }

    /** The start of this process is over, or was given up. */
    static void end(HeldConnections held) {
        try {
            held.started();
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.WARNING, "A connection to the store did not close well", e);
        }
    }

    static StoreRefused cannotBeOpened(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return new StoreRefused(
                (state.startsWith("08")
                                ? "The PostgreSQL server cannot be reached: "
                                : "The PostgreSQL store cannot be opened: ")
                        + e.getMessage() + ".",
                e);
    }

    static <S extends PGSimpleDataSource> S at(S source, String url, String user, String password) {
        source.setUrl(url);
        source.setUser(user);
        source.setPassword(password);
        source.setApplicationName("pilothouse");
        source.setConnectTimeout(5);
        source.setSocketTimeout(30);
        source.setTcpKeepAlive(true);
        // The server, too, has to notice that the other side has gone: what it holds is held until then.
        source.setOptions("-c statement_timeout=10s -c lock_timeout=8s -c idle_in_transaction_session_timeout=30s"
                + " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
                + " -c tcp_user_timeout=25000");
        if (source instanceof HeldConnections held && held.areShared()) {
            // A process that is stopped in its turn to write keeps the others waiting, who wait for longer than this.
            source.setOptions(source.getOptions() + " -c idle_in_transaction_session_timeout=5s");
        }
        // The detail of a refused statement holds the row's values, and those may be hashes of secrets.
        source.setLogServerErrorDetail(false);
        return source;
    }

    static HikariDataSource pool(DataSource source) {
        return pool("pilothouse", source, CONNECTIONS);
    }

    /** A hundred passes that wait for a connection are in no request's way, nor requests in theirs. */
    static HikariDataSource poolOfTheEngine(DataSource source) {
        return pool("pilothouse-engine", source, CONNECTIONS_OF_THE_ENGINE);
    }

    /** For what is right row by row, and begins without a word about isolation. */
    static HikariDataSource poolForTasks(DataSource source) {
        HikariConfig config = config("pilothouse-tasks", source, CONNECTIONS_FOR_TASKS);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        return opened(config);
    }

    /** The one connection that asks for the store's moment, in no transaction. */
    static HikariDataSource poolForMoments(DataSource source) {
        HikariConfig config = config("pilothouse-moments", source, 1);
        config.setAutoCommit(true);
        return opened(config);
    }

    /**
     * Connections on which each statement is a transaction of its own, which waits for no disk: what a crash of the server
     * takes with it is the last moment of counts, while everybody got a 503.
     */
    static HikariDataSource poolOfAllowances(DataSource source) {
        HikariConfig config = config("pilothouse-allowances", source, CONNECTIONS_OF_ALLOWANCES);
        config.setAutoCommit(true);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.setConnectionInitSql("SET synchronous_commit = off");
        return opened(config);
    }

    private static HikariDataSource pool(String name, DataSource source, int connections) {
        return opened(config(name, source, connections));
    }

    private static HikariConfig config(String name, DataSource source, int connections) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setDataSource(source);
        config.setMaximumPoolSize(connections);
        config.setAutoCommit(false);
        config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        config.setConnectionTimeout(Duration.ofSeconds(5).toMillis());
        return config;
    }

    private static HikariDataSource opened(HikariConfig config) {
        try {
            return new HikariDataSource(config);
        } catch (HikariPool.PoolInitializationException e) {
            throw new StoreRefused("The PostgreSQL server cannot be reached: " + e.getMessage() + ".", e);
        }
    }

    /**
     * A single connection to copy a whole store with, alone like one: its statements may take longer than those that a
     * client waits for, and it may wait for the other side of the copy.
     */
    static Sql connectToCopy(String url, String user, String password) throws SQLException {
        HeldConnections held = at(new HeldConnections(false), url, user, password);
        take(held);
        return patient(new Sql(held.getConnection()));
    }

    /** A single connection whose transactions see one moment and write nothing, beside programs at work. */
    static Sql connectToRead(String url, String user, String password) throws SQLException {
        Sql sql = new Sql(at(new PGSimpleDataSource(), url, user, password).getConnection());
        try {
            patient(sql);
            if (!Migrations.ofThisProgram().missing(sql, new PostgresDialect()).isEmpty()) {
                throw new StoreRefused(
                        "The store is of an older form than this program's: start the program on it once.");
            }
            sql.once("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
            return sql;
        } catch (SQLException | RuntimeException | Error e) {
            sql.close();
            throw e;
        }
    }

    private static Sql patient(Sql sql) throws SQLException {
        sql.connection().setNetworkTimeout(Runnable::run, (int) OF_A_COPY.toMillis());
        for (String limit : List.of("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")) {
            sql.once("SET " + limit + " = " + OF_A_COPY.toMillis());
        }
        return sql;
    }

    static void migrate(HikariDataSource pool) throws SQLException {
        try (Sql sql = new Sql(pool.getConnection())) {
            migrate(sql);
        }
    }

    private static boolean migrate(Sql sql) throws SQLException {
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
        return missing;
    }

    /**
     * Writes to a server that other processes write to as well, one at a time: each group waits for a lock that only one of
     * them has. What it then reads row by row stays as it is until it commits, but for tasks, which are claimed meanwhile.
     */
    static final class Writing implements GroupWriter.Target {
        /** Schemas of one database are stores of their own; the number is the same in every version of the program. */
        private static final String BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED;"
                + " SELECT 0, 0 FROM pg_advisory_xact_lock(5045107, hashtext(current_schema())); "
                + PostgresReads.MOMENT;

        private static final String COMMIT = "COMMIT";

        private final DataSource server;
        private final Dialect dialect;
        private final RecentRows recent;
        private final Supplier<List<String>> hosts;
        private final SecureRandom tokens = new SecureRandom();
        private Moment present = Moment.FIRST;

        Writing(DataSource server, Dialect dialect, RecentRows recent, Supplier<List<String>> hosts) {
            this.server = server;
            this.dialect = dialect;
            this.recent = recent;
            this.hosts = hosts;
        }

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
            present = PostgresReads.moment(sql.onceAndList(BEGIN, PostgresReads::readMoment));
        }

        @Override
        public void commit(Sql sql, Changes changes) {
            if (changes.isEmpty()) {
                commit(sql, COMMIT);
                return;
            }
            Moment next = present.next(tokens.nextLong());
            recent.commitBegins(changes, next);
            boolean stands = false;
            try {
                commit(sql, making(next) + COMMIT);
                stands = true;
            } finally {
                recent.commitEnded(stands);
            }
        }

        private static String making(Moment next) {
            return "INSERT INTO store_moment (id, number, token) VALUES (1, " + next.number() + ", " + next.token()
                    + ") ON CONFLICT (id) DO UPDATE SET number = excluded.number, token = excluded.token; ";
        }

        private static void commit(Sql sql, String text) {
            try {
                sql.once(text);
            } catch (SQLException e) {
                throw new StoreUnavailable("The connection failed in a commit, which may or may not stand", e);
            }
        }

        @Override
        public Transaction transaction(Sql sql, Changes changes, long seed) {
            return Transaction.writing(sql, dialect, recent.writing(present, changes), changes, seed)
                    .workingFor(hosts.get());
        }

        @Override
        public boolean gathers() {
            return true;
        }
    }
}
