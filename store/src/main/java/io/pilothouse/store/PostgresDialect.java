package io.pilothouse.store;

import io.pilothouse.core.port.StoreUnavailable;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** PostgreSQL's side: other processes write too, so work may clash, and claims step over each other's rows. */
final class PostgresDialect implements Dialect {
    private static final String UNDEFINED_TABLE = "42P01";
    private static final String READ_ONLY_SERVER = "25006";
    /** What a process meets that was stopped within a transaction. */
    private static final Set<String> ENDED_WHILE_IDLE = Set.of("25P03", "25P04");

    private static final String WAITED_TOO_LONG_FOR_A_LOCK = "55P03";

    @Override
    public String claimSuffix() {
        return " FOR UPDATE SKIP LOCKED";
    }

    @Override
    public boolean isMissingTable(SQLException fault) {
        return UNDEFINED_TABLE.equals(fault.getSQLState());
    }

    @Override
    public RuntimeException translate(SQLException fault) {
        String state = fault.getSQLState() == null ? "" : fault.getSQLState();
        if (state.startsWith("40")) {
            return new Clash(fault);
        }
        // Connection, resources, operator, system, internal; or a server that has become a standby.
        boolean unavailable = fault instanceof SQLTransientConnectionException
                || state.startsWith("08")
                || state.startsWith("53")
                || state.startsWith("57")
                || state.startsWith("58")
                || state.startsWith("XX")
                || state.equals(READ_ONLY_SERVER)
                || ENDED_WHILE_IDLE.contains(state)
                || state.equals(WAITED_TOO_LONG_FOR_A_LOCK);
        return unavailable
                ? new StoreUnavailable("The store does not work: " + fault.getMessage(), fault)
                : new IllegalStateException("The store cannot run this: " + fault.getMessage(), fault);
    }
}
