package io.pilothouse.store;

import io.pilothouse.core.port.Store;
import io.pilothouse.testkit.store.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The contract on SQLite. */
class SqliteStoreTest extends StoreContract {
    @TempDir
    private Path folder;

    @Override
    protected Store openEmpty() {
        return SqliteStore.open(folder, Threads.PLATFORM, StoreMetrics.NONE);
    }
}
