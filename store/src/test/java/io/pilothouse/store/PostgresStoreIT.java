package io.pilothouse.store;

import io.pilothouse.core.port.Store;
import io.pilothouse.testkit.store.StoreContract;
import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** The contract on PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresStoreIT extends StoreContract {
    private final Postgres postgres;

    PostgresStoreIT() throws IOException {
        postgres = new Postgres();
    }

    @AfterAll
    void stopTheServer() throws IOException {
        postgres.close();
    }

    @Override
    protected Store openEmpty() throws SQLException {
        return Postgres.open(postgres.emptySchema());
    }
}
