package io.pilothouse.store;

import java.sql.SQLException;

/** The little in which the two databases differ for the tables; everything else is one SQL text for both. */
interface Dialect {
    /** The ending of a select of due tasks that keeps two claimers from waiting for each other. */
    String claimSuffix();

    /** Whether a statement failed only because a table is not there yet. */
    boolean isMissingTable(SQLException fault);

    /**
     * The meaning of a failed statement: {@link io.pilothouse.core.port.StoreUnavailable} when the world is at fault,
     * {@link Clash} when running again helps, {@link IllegalStateException} when the program is at fault.
     */
    RuntimeException translate(SQLException fault);
}
