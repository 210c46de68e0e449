package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.postgresql.replication.LogSequenceNumber;

/**
 * The publication and the replication slot of a pipe: those that its owner named, or ones of its own, which end with
 * the pipe. A round in which everything is read again has a slot of its own.
 */
final class Slot {
    private static final String EXPORTING = "LOGICAL pgoutput EXPORT_SNAPSHOT";
    private static final String PASSING = "_snapshot";
    private static final String FIND = """
            SELECT coalesce(plugin = 'pgoutput' AND database = current_database(), false) AS fits,
              coalesce(wal_status = 'lost', false) AS lost, confirmed_flush_lsn::text AS position
            FROM pg_replication_slots WHERE slot_name = ?""";

    /** Nobody may end a session of another role. */
    private static final String END_SESSION = """
            SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
            WHERE usename = current_user AND pid =
              (SELECT active_pid FROM pg_replication_slots WHERE slot_name = ? AND temporary)""";

    private static final int MAX_LOOKS = 50;
    private static final long LOOK_MILLIS = 100;

    private final String pipe;
    private final String prefix;
    private final String name;
    private final boolean given;
    private final String publication;
    private final boolean failover;

    /** Where a slot begins, and the snapshot of that moment. */
    record Made(long position, String snapshot) {}

    Slot(Assignment assignment, Tree.Members settings) {
        this.pipe = assignment.pipe();
        this.prefix = "pilothouse_" + pipe.replace("-", "");
        Optional<String> slot = settings.text("replicationSlotName").filter(text -> !text.isBlank());
        this.given = slot.isPresent();
        this.name = slot.orElse(prefix + "_" + assignment.round());
        this.publication =
                settings.text("publicationName").filter(text -> !text.isBlank()).orElse(prefix);
        this.failover = settings.flag("enableFailoverSlots");
    }

    String name() {
        return name;
    }

    String publication() {
        return publication;
    }

    private String comment() {
        return "Made by the pipe " + pipe;
    }

    /** Makes the publication if it is missing, and has one of its own publish these tables and no others. */
    void publish(Connection connection, List<SourceTable> tables) throws SQLException, Owner {
        try {
            tryToPublish(connection, tables);
        } catch (SQLException error) {
            if (PostgresLogin.isForbidden(error)) {
                throw new Owner("The user of the pipe may not make the publication " + publication + " ("
                        + error.getMessage() + "); make one of these tables, and name it as publicationName.");
            }
            throw error;
        }
    }

    private void tryToPublish(Connection connection, List<SourceTable> tables) throws SQLException, Owner {
        String list = tables.stream()
                .map(table -> SourceTable.quoted(table.mapping().schema()) + "."
                        + SourceTable.quoted(table.mapping().table()))
                .distinct()
                .collect(Collectors.joining(", "));
        Optional<String> comment = one(
                connection,
                "SELECT coalesce(obj_description(oid, 'pg_publication'), '') FROM pg_publication WHERE pubname = ?",
                publication);
        String quoted = SourceTable.quoted(publication);
        if (comment.isEmpty()) {
            execute(connection, "BEGIN");
            execute(
                    connection,
                    "CREATE PUBLICATION " + quoted + " FOR TABLE " + list
                            + " WITH (publish_via_partition_root = true)");
            execute(connection, "COMMENT ON PUBLICATION " + quoted + " IS '" + comment() + "'");
            execute(connection, "COMMIT");
        } else if (comment.get().equals(comment())) {
            execute(connection, "ALTER PUBLICATION " + quoted + " SET TABLE " + list);
        } else {
            require(connection, tables);
        }
    }

    private void require(Connection connection, List<SourceTable> tables) throws SQLException, Owner {
        Set<String> published = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT schemaname || '.' || tablename FROM pg_publication_tables WHERE pubname = ?")) {
            statement.setString(1, publication);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    published.add(rows.getString(1));
                }
            }
        }
        for (SourceTable table : tables) {
            if (!published.contains(table.mapping().source())) {
                throw new Owner("The publication " + publication + " does not have the table "
                        + table.mapping().source() + ".");
            }
        }
    }

    /** How far the slot was read; empty if there is no such slot. */
    Optional<Long> position(Connection connection) throws SQLException, Trouble {
        try (PreparedStatement statement = connection.prepareStatement(FIND)) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                if (rows.next()) {
                    return Optional.of(position(rows));
                }
            }
        }
        if (given) {
            throw new Owner("The source has no replication slot " + name + ".");
        }
        return Optional.empty();
    }

    private long position(ResultSet slot) throws SQLException, Trouble {
        if (!slot.getBoolean("fits")) {
            throw new Owner("The replication slot " + name + " is not one of the plug-in pgoutput for this database.");
        }
        if (slot.getBoolean("lost")) {
            throw new Owner("The source has dropped changes that the replication slot " + name
                    + " was to keep (max_slot_wal_keep_size); everything has to be read again (resync).");
        }
        String position = slot.getString("position");
        if (position == null) {
            throw new Trouble.SourceAway("The replication slot " + name + " is being made.");
        }
        return LogSequenceNumber.valueOf(position).asLong();
    }

    /** Makes the slot on a connection for replication; the snapshot is there until the next command on it. */
    Made make(Connection replication) throws SQLException {
        return make(replication, name, failover ? "LOGICAL pgoutput (SNAPSHOT 'export', FAILOVER)" : EXPORTING);
    }

    /**
     * A snapshot of now for tables that are read later than the slot was made. It comes from a slot that lasts until
     * {@link #drop}, because such a one waits for the transactions that began before the tables were published.
     */
    String snapshot(Connection replication) throws SQLException {
        return make(replication, name + PASSING, "TEMPORARY " + EXPORTING).snapshot();
    }

    void drop(Connection replication) throws SQLException {
        execute(replication, "DROP_REPLICATION_SLOT " + SourceTable.quoted(name + PASSING));
    }

    /**
     * Ends the session of a worker before this one that still waits for its snapshot: its slot is in the way of the
     * next. A session ends a moment after it was told to; one that does not is for the next look at the source.
     */
    void endGivenUpSnapshot(Connection connection) throws SQLException, InterruptedException {
        for (int looks = 0; looks < MAX_LOOKS; looks++) {
            if (one(connection, END_SESSION, name + PASSING).isEmpty()) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private static Made make(Connection replication, String called, String sort) throws SQLException {
        try (Statement statement = replication.createStatement();
                ResultSet row =
                        statement.executeQuery("CREATE_REPLICATION_SLOT " + SourceTable.quoted(called) + " " + sort)) {
            row.next();
            return new Made(
                    LogSequenceNumber.valueOf(row.getString("consistent_point")).asLong(),
                    row.getString("snapshot_name"));
        }
    }

    /** Takes away the slots of other rounds, or with {@code all} everything that the pipe made. */
    void leave(Connection connection, boolean all) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
                        + " WHERE starts_with(slot_name, ?) AND (? OR slot_name <> ?) AND NOT active")) {
            statement.setString(1, prefix + "_");
            statement.setBoolean(2, all);
            statement.setString(3, name);
            statement.execute();
        }
        if (all
                && one(
                                connection,
                                "SELECT pubname FROM pg_publication WHERE pubname = ?"
                                        + " AND obj_description(oid, 'pg_publication') = '" + comment() + "'",
                                publication)
                        .isPresent()) {
            execute(connection, "DROP PUBLICATION " + SourceTable.quoted(publication));
        }
    }

    /** Whether a slot of this pipe is still there; one that is in use cannot be dropped yet. */
    boolean isLeft(Connection connection) throws SQLException {
        return one(
                        connection,
                        "SELECT slot_name FROM pg_replication_slots WHERE starts_with(slot_name, ?)",
                        prefix + "_")
                .isPresent();
    }

    private static Optional<String> one(Connection connection, String sql, String value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, value);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
