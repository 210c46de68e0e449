package io.pilothouse.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Connections to a store that one process has to itself. Each holds a share of an advisory lock for as long as it
 * lasts. A process takes the store only while nobody holds a share, and leaves its mark; a connection that finds
 * another mark ends. So a process that was replaced writes nothing, however long it was stopped or cut off.
 */
final class SoleConnections extends PGSimpleDataSource {
    private static final long serialVersionUID = 1L;

    /** Schemas of one database are stores of their own; the number is the same in every version of the program. */
    private static final String LOCK = "(5045105, hashtext(current_schema()))";

    private static final String TAKE = "SELECT pg_try_advisory_lock" + LOCK;
    private static final String GIVE = "SELECT pg_advisory_unlock" + LOCK;
    private static final String SHARE = "SELECT pg_try_advisory_lock_shared" + LOCK;
    private static final String REFUSED_BY_SERVER = "08004";

    private final String mark = UUID.randomUUID().toString();

    /** Takes the store unless another process has it; false if one has. */
    boolean take(Opening opening) throws SQLException {
        try (Sql sql = new Sql(super.getConnection(getUser(), getPassword()))) {
            if (!answersTrue(sql.connection(), TAKE)) {
                return false;
            }
            sql.connection().setAutoCommit(false);
            opening.migrate(sql);
            sql.change(Transaction.KEEP_CHECK, Transaction.OF_THE_HOLDER, mark);
            sql.connection().commit();
            sql.list(GIVE, row -> row.getBoolean(1));
            sql.connection().commit();
            return true;
        }
    }

    /** Brings a store into this program's form. */
    @FunctionalInterface
    interface Opening {
        void migrate(Sql sql) throws SQLException;
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        Connection connection = super.getConnection(user, password);
        boolean admitted = false;
        try {
            admitted = answersTrue(connection, SHARE) && mark.equals(markOf(connection));
        } finally {
            if (!admitted) {
                connection.close();
            }
        }
        if (!admitted) {
            throw new SQLException("another Pilothouse has taken the store over since", REFUSED_BY_SERVER);
        }
        return connection;
    }

    private static boolean answersTrue(Connection connection, String question) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(question);
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static @Nullable String markOf(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Transaction.CHECK)) {
            statement.setInt(1, Transaction.OF_THE_HOLDER);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }
}
