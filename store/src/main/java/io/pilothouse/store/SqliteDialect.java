package io.pilothouse.store;

import io.pilothouse.core.port.StoreUnavailable;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;
import org.sqlite.SQLiteErrorCode;

/** SQLite's side: one writer at a time, so there are no clashes and nothing to lock. */
final class SqliteDialect implements Dialect {
    private static final int PRIMARY_CODE = 0xff;

    /** The program's own mistakes; everything else that SQLite reports is the disk, the memory or another process. */
    private static final Set<SQLiteErrorCode> OURS = EnumSet.of(
            SQLiteErrorCode.SQLITE_OK,
            SQLiteErrorCode.SQLITE_ERROR,
            SQLiteErrorCode.SQLITE_CONSTRAINT,
            SQLiteErrorCode.SQLITE_MISMATCH,
            SQLiteErrorCode.SQLITE_MISUSE,
            SQLiteErrorCode.SQLITE_RANGE,
            SQLiteErrorCode.SQLITE_TOOBIG);

    @Override
    public String claimSuffix() {
        return "";
    }

    @Override
    public boolean isMissingTable(SQLException fault) {
        return String.valueOf(fault.getMessage()).contains("no such table");
    }

    @Override
    public RuntimeException translate(SQLException fault) {
        return OURS.contains(code(fault))
                ? new IllegalStateException("The store cannot run this: " + fault.getMessage(), fault)
                : new StoreUnavailable("The store does not work: " + fault.getMessage(), fault);
    }

    static SQLiteErrorCode code(SQLException fault) {
        return SQLiteErrorCode.getErrorCode(fault.getErrorCode() & PRIMARY_CODE);
    }
}
