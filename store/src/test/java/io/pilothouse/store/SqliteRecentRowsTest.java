package io.pilothouse.store;

import io.pilothouse.core.port.Store;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Recent rows of the one process that writes. */
class SqliteRecentRowsTest extends RecentRowsContract {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int CONNECTIONS = 6;

    @TempDir
    private Path folder;

    private Store store;

    @BeforeEach
    void open() {
        Limits limits = new Limits(1_000, LONG, 1_000, LONG, CONNECTIONS, 24);
        store = SqliteStore.open(folder, Threads.PLATFORM, StoreMetrics.NONE, limits);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    Store store() {
        return store;
    }

    @Override
    Store writer() {
        return store;
    }

    @Override
    int connections() {
        return CONNECTIONS;
    }
}
