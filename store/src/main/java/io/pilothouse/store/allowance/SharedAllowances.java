package io.pilothouse.store.allowance;

import com.zaxxer.hikari.HikariDataSource;
import io.pilothouse.core.port.Allowances;
import io.pilothouse.core.port.StoreUnavailable;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Allowances as rows of a PostgreSQL, a statement and a trip for each question. A row is locked for that statement alone,
 * by the server's clock, so that a process that stops holds up nobody.
 */
public final class SharedAllowances implements Allowances, AutoCloseable {
    /** Each sweep takes more rows away than the takes between two of them can bring. */
    private static final int TAKES_BETWEEN_SWEEPS = 50;

    private static final int SWEPT_AT_ONCE = 1_000;

    // In a statement this time stands still, also while it waits for a row.
    private static final String NOW = "(extract(epoch FROM statement_timestamp()) * 1000000)::bigint";
    private static final String SHARE = "least(?::bigint, (greatest(0, ?::bigint - %s) + 3) / 4)";
    private static final String OF_NEW = SHARE.formatted("0");
    private static final String OF_HELD = SHARE.formatted("held.used");

    // The names come in one order, so that no two processes wait for each other's rows.
    private static final String TAKE =
            """
            INSERT INTO allowances AS held (name, used, granted, ends_at)
            SELECT name, $NEW, $NEW, $NOW + 60000000 FROM unnest(?::text[]) AS asked (name)
            ON CONFLICT (name) DO UPDATE SET
                used = CASE WHEN held.ends_at > $NOW THEN held.used + $HELD ELSE excluded.used END,
                granted = CASE WHEN held.ends_at > $NOW THEN $HELD ELSE excluded.granted END,
                ends_at = CASE WHEN held.ends_at > $NOW THEN held.ends_at ELSE excluded.ends_at END
            RETURNING name, granted, used, ends_at - $NOW\
            """.replace("$NEW", OF_NEW).replace("$HELD", OF_HELD).replace("$NOW", NOW);
    private static final String FIND = """
            SELECT name, 0, used, ends_at - $NOW FROM allowances
            WHERE name = ANY (?::text[]) AND ends_at > $NOW\
            """.replace("$NOW", NOW);
    private static final String SWEEP = """
            DELETE FROM allowances WHERE name IN (SELECT name FROM allowances WHERE ends_at <= $NOW
                ORDER BY ends_at LIMIT ? FOR UPDATE SKIP LOCKED)\
            """.replace("$NOW", NOW);

    private final HikariDataSource connections;
    private final AtomicLong takes = new AtomicLong();

    /** Over connections on which each statement is a transaction of its own and reads what is committed. */
    public SharedAllowances(HikariDataSource connections) {
        this.connections = connections;
    }

    @Override
    public Map<String, Share> take(Set<String> names, int wanted, int most) {
        requireBounded(names);
        try (Connection connection = connections.getConnection()) {
            Map<String, Share> taken;
            try (PreparedStatement statement = connection.prepareStatement(TAKE)) {
                int at = 0;
                for (int ofNew = 0; ofNew < 2; ofNew++) {
                    statement.setLong(++at, wanted);
                    statement.setLong(++at, most);
                }
                statement.setArray(++at, array(connection, names));
                for (int ofHeld = 0; ofHeld < 2; ofHeld++) {
                    statement.setLong(++at, wanted);
                    statement.setLong(++at, most);
                }
                taken = shares(statement, most);
            }
            if (takes.incrementAndGet() % TAKES_BETWEEN_SWEEPS == 0) {
                sweep(connection);
            }
            return taken;
        } catch (SQLException e) {
            throw unavailable(e);
        }
    }

    @Override
    public Map<String, Share> find(Set<String> names, int most) {
        requireBounded(names);
        try (Connection connection = connections.getConnection();
                PreparedStatement statement = connection.prepareStatement(FIND)) {
            statement.setArray(1, array(connection, names));
            return shares(statement, most);
        } catch (SQLException e) {
            throw unavailable(e);
        }
    }

    private static void sweep(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SWEEP)) {
            statement.setInt(1, SWEPT_AT_ONCE);
            statement.executeUpdate();
        }
    }

    private static Array array(Connection connection, Set<String> names) throws SQLException {
        return connection.createArrayOf("text", new TreeSet<>(names).toArray());
    }

    private static Map<String, Share> shares(PreparedStatement statement, int most) throws SQLException {
        Map<String, Share> shares = new HashMap<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                shares.put(
                        row.getString(1),
                        new Share(
                                row.getInt(2),
                                (int) Math.max(0, most - row.getLong(3)),
                                Duration.of(row.getLong(4), ChronoUnit.MICROS)));
            }
        }
        return shares;
    }

    private static void requireBounded(Set<String> names) {
        if (names.stream().anyMatch(name -> name.length() > MAX_NAME)) {
            throw new IllegalArgumentException("A name of an allowance is longer than " + MAX_NAME);
        }
    }

    private static StoreUnavailable unavailable(SQLException e) {
        return new StoreUnavailable("What all processes count together cannot be reached: " + e.getMessage(), e);
    }

    @Override
    public void close() {
        connections.close();
    }
}
