package io.pilothouse.store;

import java.sql.SQLException;

/** The little in which the two databases differ for the tables; everything else is one SQL text for both. */
interface Dialect {
    /** What follows a select of due tasks so that two claimers never wait for each other. */
    String claimSuffix();

    /** Whether a statement failed only because a table is not there yet. */
    boolean isMissingTable(SQLException fault);

    /**
     * What a failed statement means: {@link io.pilothouse.core.port.StoreUnavailable} when the world is at fault,
     * {@link Clash} when running again helps, {@link IllegalStateException} when the program is at fault.
     */
    RuntimeException translate(SQLException fault);
}
