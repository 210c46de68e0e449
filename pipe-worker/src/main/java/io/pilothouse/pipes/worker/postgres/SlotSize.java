package io.pilothouse.pipes.worker.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * How much the source keeps for a slot, and whether it is about to drop some of it. {@code bytes} fill the disk of the
 * source, and are there until the pipe has read them and no older transaction is open.
 */
record SlotSize(long bytes, boolean endangered) {
    static final SlotSize UNKNOWN = new SlotSize(-1, false);

    private static final long WARNS_AT = 10L << 30;
    private static final int GIBIBYTE_BITS = 30;
    private static final String MEASURE = """
            SELECT pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn()
              ELSE pg_current_wal_lsn() END, restart_lsn)::bigint, coalesce(wal_status = 'unreserved', false)
            FROM pg_replication_slots WHERE slot_name = ?""";

    static SlotSize of(Connection source, String slot) throws SQLException {
        try (PreparedStatement statement = source.prepareStatement(MEASURE)) {
            statement.setString(1, slot);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? new SlotSize(row.getLong(1), row.getBoolean(2)) : UNKNOWN;
            }
        }
    }

    /** What the owner of the source has to know; empty while all is well. */
    Optional<String> warning() {
        if (endangered) {
            return Optional.of("The source is about to drop changes that this pipe has not read yet,"
                    + " because it keeps only so much (max_slot_wal_keep_size).");
        }
        return bytes < WARNS_AT
                ? Optional.empty()
                : Optional.of(
                        "The source keeps " + (bytes >> GIBIBYTE_BITS) + " GiB of changes for this pipe, on its own"
                                + " disk: the pipe falls behind, or a transaction has been open there for long.");
    }
}
