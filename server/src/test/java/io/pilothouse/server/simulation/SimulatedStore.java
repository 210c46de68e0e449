package io.pilothouse.server.simulation;

import io.pilothouse.core.port.Store;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The store of a simulation, which is the real one. */
final class SimulatedStore {
    /** Where nothing is ever written to a disk, if there is such a place: a sync costs nothing there. */
    private static final Path MEMORY = Path.of("/dev/shm");

    private SimulatedStore() {}

    /** A new store with a defect, which is gone afterwards; {@code folder} is for it where there is no better place. */
    static <T> T with(Path folder, UnaryOperator<Store> defect, Function<Store, T> work) {
        Path parent = Files.isWritable(MEMORY) ? MEMORY : folder;
        try {
            Path home = Files.createTempDirectory(parent, "pilothouse-simulation");
            try (Store store = SqliteStore.open(
                    home, Thread.ofPlatform().daemon().name("store-writer").factory(), StoreMetrics.NONE)) {
                return work.apply(defect.apply(store));
            } finally {
                delete(home);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path home) throws IOException {
        try (var files = Files.list(home)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(home);
    }
}
