package io.pilothouse.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection and the statements that were prepared on it, each prepared once. Where a server is far, changes that
 * nobody waits for can be gathered and sent together, before the next statement that somebody does wait for. For one
 * thread at a time.
 */
final class Sql implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Sql.class.getName());

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    /** What is gathered, by statement, in the order in which each came first. */
    private final Map<String, PreparedStatement> gathered = new LinkedHashMap<>();

    private boolean gathers;
    private boolean hasGathered;

    Sql(Connection connection) {
        this.connection = connection;
    }

    /** Makes one thing out of the row a result stands on. */
    @FunctionalInterface
    interface Reading<R> {
        R read(ResultSet row) throws SQLException;
    }

    Connection connection() {
        return connection;
    }

    <R> List<R> list(String text, Reading<R> reading, @Nullable Object... values) throws SQLException {
        send();
        try (ResultSet rows = prepared(text, values).executeQuery()) {
            return readAll(rows, reading);
        }
    }

    private static <R> List<R> readAll(ResultSet rows, Reading<R> reading) throws SQLException {
        List<R> read = new ArrayList<>();
        while (rows.next()) {
            read.add(reading.read(rows));
        }
        return read;
    }

    /** Runs a statement that changes rows or the transaction, and says how many rows it changed. */
    int change(String text, @Nullable Object... values) throws SQLException {
        send();
        return prepared(text, values).executeUpdate();
    }

    /** From now on changes may be gathered, or no longer. */
    void gather(boolean next) {
        gathers = next;
        hasGathered = false;
    }

    /** Runs a statement that changes rows, at the latest before the next one of another kind. */
    void changeLater(String text, @Nullable Object... values) throws SQLException {
        if (!gathers) {
            change(text, values);
            return;
        }
        PreparedStatement statement = prepared(text, values);
        hasGathered = true;
        statement.addBatch();
        gathered.put(text, statement);
    }

    /** Whether anything was gathered since it may be. */
    boolean hasGathered() {
        return hasGathered;
    }

    /** Sends what is gathered; one fault among it fails all of it. */
    void send() throws SQLException {
        if (gathered.isEmpty()) {
            return;
        }
        try {
            for (PreparedStatement batch : gathered.values()) {
                batch.executeBatch();
            }
        } finally {
            forget();
        }
    }

    /** Sends nothing of what is gathered. */
    void forget() throws SQLException {
        for (PreparedStatement batch : gathered.values()) {
            batch.clearBatch();
        }
        gathered.clear();
    }

    /** Runs, once and unprepared, what is not worth keeping: a setting or a step of a migration. */
    void once(String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    /** Runs statements together, once and unprepared, and reads what the last one of them that is a query finds. */
    <R> List<R> onceAndList(String text, Reading<R> reading) throws SQLException {
        List<R> read = List.of();
        try (Statement statement = connection.createStatement()) {
            boolean finds = statement.execute(text);
            while (finds || statement.getUpdateCount() >= 0) {
                if (finds) {
                    read = readAll(statement.getResultSet(), reading);
                }
                finds = statement.getMoreResults();
            }
        }
        return read;
    }

    private PreparedStatement prepared(String text, @Nullable Object... values) throws SQLException {
        PreparedStatement statement = statements.get(text);
        if (statement == null) {
            statement = connection.prepareStatement(text);
            statements.put(text, statement);
        }
        for (int i = 0; i < values.length; i++) {
            bind(statement, i + 1, values[i]);
        }
        return statement;
    }

    private static void bind(PreparedStatement statement, int position, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> statement.setNull(position, Types.NULL);
            case String text -> statement.setString(position, text);
            case Long number -> statement.setLong(position, number);
            case Integer number -> statement.setInt(position, number);
            default -> throw new IllegalArgumentException("No column holds a " + value.getClass());
        }
    }

    /** Closes it where nothing depends on how that goes. */
    void closeQuietly() {
        try {
            close();
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.WARNING, "A connection to the store did not close well", e);
        }
    }

    @Override
    public void close() throws SQLException {
        // A connection of a pool that is not given back is missing for good.
        try (connection) {
            for (PreparedStatement statement : statements.values()) {
                statement.close();
            }
        } finally {
            statements.clear();
            gathered.clear();
        }
    }
}
