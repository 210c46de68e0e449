package io.pilothouse.store;

import com.zaxxer.hikari.HikariDataSource;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import io.pilothouse.store.recent.Moment;
import io.pilothouse.store.recent.RecentRows;
import io.pilothouse.store.recent.RecentView;
import io.pilothouse.store.recent.SharedAnswer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What reads from PostgreSQL, each in a snapshot that begins when there is a query for it. Rows that were read recently need
 * none while the store is at the moment at which they were read, and for that one short question serves all who read at the
 * same time.
 */
final class PostgresReads {
    static final String MOMENT = "SELECT number, token FROM store_moment WHERE id = 1";

    private final Dialect dialect;
    private final Nesting nesting;
    private final RecentRows recent;
    private final Supplier<List<String>> hosts;
    private final HikariDataSource moments;
    private final SharedAnswer<Moment> present;

    PostgresReads(
            DataSource server, Dialect dialect, Nesting nesting, RecentRows recent, Supplier<List<String>> hosts) {
        this.dialect = dialect;
        this.nesting = nesting;
        this.recent = recent;
        this.hosts = hosts;
        this.moments = PostgresOpening.poolForMoments(server);
        this.present = new SharedAnswer<>(this::askForMoment);
    }

    static Moment readMoment(ResultSet row) throws SQLException {
        return new Moment(row.getLong(1), row.getLong(2));
    }

    static Moment moment(List<Moment> found) {
        return found.isEmpty() ? Moment.FIRST : found.getFirst();
    }

    private Moment askForMoment() {
        Sql sql = connect(moments);
        try {
            return moment(sql.list(MOMENT, PostgresReads::readMoment));
        } catch (SQLException e) {
            throw dialect.translate(e);
        } finally {
            sql.closeQuietly();
        }
    }

    /** Lets the work use rows that were read recently, or not. */
    <T> T read(HikariDataSource from, boolean recently, Function<Tables, T> work) {
        Snapshot snapshot = new Snapshot(from);
        RecentView view = recently ? recent.reading(present::get, snapshot::moment) : null;
        Transaction transaction =
                Transaction.reading(snapshot::sql, dialect, view).workingFor(hosts.get());
        try {
            T result = transaction.run(nesting, work);
            snapshot.end();
            return result;
        } finally {
            snapshot.giveBack();
        }
    }

    /** A transaction on a connection of the pool. */
    private final class Snapshot {
        private final HikariDataSource from;
        private @Nullable Sql open;

        private Snapshot(HikariDataSource from) {
            this.from = from;
        }

        private Sql sql() throws SQLException {
            Sql sql = open;
            if (sql == null) {
                sql = connect(from);
                open = sql;
                sql.connection().setReadOnly(true);
            }
            return sql;
        }

        private Moment moment() {
            try {
                return PostgresReads.moment(sql().list(MOMENT, PostgresReads::readMoment));
            } catch (SQLException e) {
                throw dialect.translate(e);
            }
        }

        private void end() {
            if (open != null) {
                try {
                    open.connection().commit();
                } catch (SQLException e) {
                    throw dialect.translate(e);
                }
            }
        }

        /** The pool rolls back what did not end. */
        private void giveBack() {
            if (open != null) {
                open.closeQuietly();
            }
        }
    }

    void close() {
        moments.close();
    }

    /** A connection on which a transaction begins with its first statement. */
    static Sql connect(HikariDataSource from) {
        try {
            return new Sql(from.getConnection());
        } catch (SQLException e) {
            throw new StoreUnavailable("The store cannot be reached: " + e.getMessage(), e);
        }
    }
}
