package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Whether a source can say what changes in tables; asked before anything is made there. */
final class ReadySource {
    private static final String IDENTITY = """
            SELECT c.relreplident IN ('f', 'i') OR c.relreplident = 'd' AND EXISTS (
              SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary) FROM pg_class c WHERE c.oid = ?""";

    private ReadySource() {}

    static void require(Connection connection, List<SourceTable> tables) throws SQLException, Owner {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT current_setting('wal_level')")) {
            row.next();
            if (!row.getString(1).equals("logical")) {
                throw new Owner("The source has wal_level " + row.getString(1) + ", and changes can be followed only"
                        + " where it is logical: ALTER SYSTEM SET wal_level = 'logical', and a restart of the source.");
            }
        }
        for (SourceTable table : tables) {
            requireIdentity(connection, table);
        }
    }

    /** Without one the source would refuse updates and deletes of a published table to everybody. */
    private static void requireIdentity(Connection connection, SourceTable table) throws SQLException, Owner {
        try (PreparedStatement statement = connection.prepareStatement(IDENTITY)) {
            statement.setLong(1, table.oid());
            try (ResultSet row = statement.executeQuery()) {
                if (row.next() && !row.getBoolean(1)) {
                    throw new Owner(
                            "The table " + table.mapping().source()
                                    + " has no primary key, by which changes could be followed: give it one, or REPLICA IDENTITY FULL.");
                }
            }
        }
    }
}
