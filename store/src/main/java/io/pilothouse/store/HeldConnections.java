package io.pilothouse.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Connections to a store that one process has to itself, or that several share. Each holds a share of an advisory lock
 * for as long as it lasts. A process takes the store only while nobody holds a share, and leaves its mark; a connection
 * that finds another mark ends. So a process that was replaced writes nothing, however long it was stopped or cut off.
 * Those that share a store have the same mark, and start one after another. It is a new one after a process that had the
 * store to itself, which may have replaced keys, and after a change of the store's form.
 */
final class HeldConnections extends PGSimpleDataSource {
    private static final long serialVersionUID = 1L;

    /** Schemas of one database are stores of their own; the number is the same in every version of the program. */
    private static final String LOCK = "(5045105, hashtext(current_schema()))";

    private static final String START_ALONE = "SELECT pg_try_advisory_lock(5045106, hashtext(current_schema()))";
    private static final String SHARED = "shared ";
    private static final String TAKE = "SELECT pg_try_advisory_lock" + LOCK;
    private static final String GIVE = "SELECT pg_advisory_unlock" + LOCK;
    private static final String SHARE = "SELECT pg_try_advisory_lock_shared" + LOCK;
    private static final String REFUSED_BY_SERVER = "08004";

    private final boolean shared;
    private volatile String mark;

    /** The session that keeps other starts out while this one goes on; none once it is over. */
    private transient @Nullable Connection start;

    HeldConnections(boolean shared) {
        this.shared = shared;
        this.mark = (shared ? SHARED : "") + UUID.randomUUID();
    }

    boolean areShared() {
        return shared;
    }

    /** Takes the store unless another process has it, or joins those that share it; false if neither can be done now. */
    boolean take(Opening opening) throws SQLException {
        if (shared && !startsAlone()) {
            return false;
        }
        try (Sql sql = new Sql(super.getConnection(getUser(), getPassword()))) {
            if (!answersTrue(sql.connection(), TAKE)) {
                return shared && joins(sql, opening);
            }
            sql.connection().setAutoCommit(false);
            boolean changed = opening.migrate(sql);
            String left = markOf(sql.connection());
            if (shared && !changed && left != null && left.startsWith(SHARED)) {
                // Those that were cut off for a moment, as all are by a restart of the server, come back.
                mark = left;
            }
            sql.change(Transaction.KEEP_CHECK, Transaction.OF_THE_HOLDER, mark);
            sql.connection().commit();
            sql.list(GIVE, row -> row.getBoolean(1));
            sql.connection().commit();
            return true;
        }
    }

    private boolean startsAlone() throws SQLException {
        if (start == null) {
            Connection connection = super.getConnection(getUser(), getPassword());
            if (!answersTrue(connection, START_ALONE)) {
                connection.close();
                return false;
            }
            start = connection;
        }
        return true;
    }

    private boolean joins(Sql sql, Opening opening) throws SQLException {
        if (!answersTrue(sql.connection(), SHARE)) {
            return false;
        }
        String present = markOf(sql.connection());
        if (present == null || !present.startsWith(SHARED)) {
            return false;
        }
        opening.requireNewest(sql);
        mark = present;
        return true;
    }

    /** The start is over, or was given up: the next process may begin. */
    void started() throws SQLException {
        if (start != null) {
            start.close();
            start = null;
        }
    }

    /** How a store comes into this program's form. */
    interface Opening {
        /** Says whether there was anything to change. */
        boolean migrate(Sql sql) throws SQLException;

        /** Refuses a store of another form, which cannot be changed while others work on it. */
        void requireNewest(Sql sql) throws SQLException;
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
