package io.pilothouse.store;

import io.pilothouse.core.port.Store;
import io.pilothouse.testkit.store.StoreContract;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The contract on a PostgreSQL that three processes share. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresSharedStoreIT extends StoreContract {
    private final Postgres postgres;

    @TempDir
    private Path folder;

    PostgresSharedStoreIT() throws IOException {
        postgres = new Postgres();
    }

    @AfterAll
    void stopTheServer() throws IOException {
        postgres.close();
    }

    @Override
    protected Store openEmpty() throws SQLException {
        String url = postgres.emptySchema();
        return new StoresInTurns(Stream.generate(() -> open(url)).limit(3).toList());
    }

    private PostgresStore open(String url) {
        PostgresStore store = PostgresStore.openShared(
                folder.resolve(UUID.randomUUID().toString()), url, "postgres", "", Threads.PLATFORM, StoreMetrics.NONE);
        store.started();
        return store;
    }
}
