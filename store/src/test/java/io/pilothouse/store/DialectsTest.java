package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.StoreUnavailable;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** The meaning of a database's complaint for the caller. */
class DialectsTest {
    private final Dialect sqlite = new SqliteDialect();
    private final Dialect postgres = new PostgresDialect();

    @ParameterizedTest
    @EnumSource(
            names = {
                "SQLITE_FULL",
                "SQLITE_IOERR",
                "SQLITE_IOERR_FSYNC",
                "SQLITE_BUSY",
                "SQLITE_BUSY_SNAPSHOT",
                "SQLITE_LOCKED",
                "SQLITE_READONLY",
                "SQLITE_READONLY_DBMOVED",
                "SQLITE_CANTOPEN",
                "SQLITE_CORRUPT",
                "SQLITE_NOTADB",
                "SQLITE_NOMEM",
                "SQLITE_INTERRUPT"
            })
    void sqliteIsUnavailable(SQLiteErrorCode code) {
        assertThat(sqlite.translate(new SQLiteException("it says", code)))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("it says");
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "SQLITE_ERROR",
                "SQLITE_CONSTRAINT_UNIQUE",
                "SQLITE_CONSTRAINT_NOTNULL",
                "SQLITE_MISMATCH",
                "SQLITE_MISUSE",
                "SQLITE_RANGE",
                "SQLITE_TOOBIG"
            })
    void sqliteWasMisused(SQLiteErrorCode code) {
        assertThat(sqlite.translate(new SQLiteException("it says", code)))
                .isExactlyInstanceOf(IllegalStateException.class);
    }

    @Test
    void driverThatWasMisusedIsTheProgramsFault() {
        assertThat(sqlite.translate(new SQLException("stmt pointer is closed")))
                .isExactlyInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"08006", "08001", "53100", "53300", "57P01", "57014", "58030", "XX001", "25006", "25P03", "25P04"
            })
    void postgresIsUnavailable(String state) {
        assertThat(postgres.translate(new SQLException("it says", state))).isInstanceOf(StoreUnavailable.class);
    }

    @Test
    void poolWithoutAConnectionIsUnavailable() {
        assertThat(postgres.translate(new SQLTransientConnectionException("timed out")))
                .isInstanceOf(StoreUnavailable.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01"})
    void postgresTransactionsClash(String state) {
        assertThat(postgres.translate(new SQLException("it says", state))).isInstanceOf(Clash.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"23505", "42601", "22021", "25P02"})
    void postgresWasMisused(String state) {
        assertThat(postgres.translate(new SQLException("it says", state)))
                .isExactlyInstanceOf(IllegalStateException.class);
    }

    @Test
    void complaintWithoutAStateIsTheProgramsFault() {
        assertThat(postgres.translate(new SQLException("it says"))).isExactlyInstanceOf(IllegalStateException.class);
    }
}
