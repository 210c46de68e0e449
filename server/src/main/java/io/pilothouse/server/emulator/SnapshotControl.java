package io.pilothouse.server.emulator;

import io.pilothouse.core.engine.Lull;
import io.pilothouse.core.key.ApiKeyMaker;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.snapshot.Fork;
import io.pilothouse.core.snapshot.SnapshotData;
import io.pilothouse.core.snapshot.SnapshotOperations;
import io.pilothouse.core.snapshot.Snapshots;
import io.pilothouse.http.emulator.SnapshotRoutes;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.snapshot.SnapshotFiles;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** Snapshots in this program: files of the data folder. */
public final class SnapshotControl {
    private static final String FOLDER = "snapshots";
    private static final String NOT_FORGOTTEN = "This plane remembers more of its services than can go back";

    private SnapshotControl() {}

    /**
     * The plane's part in them, and the keys: {@code memory} forgets things by their ids, {@code data} is what services
     * have beside their rows, and {@code pipes} ends the workers of pipes.
     */
    public record Ground(
            Optional<Consumer<Set<UUID>>> memory,
            Optional<SnapshotData> data,
            Consumer<Set<UUID>> pipes,
            Vault vault,
            SecretHash hash,
            ApiKeyMaker keys) {}

    static SnapshotRoutes routes(Ground ground, Store store, Clock clock, Path data, Lull lull, Wake engine) {
        Snapshots files = new SnapshotFiles(data.resolve(FOLDER), SqliteStore.form());
        Optional<String> refusal = ground.memory().isPresent() ? Optional.empty() : Optional.of(NOT_FORGOTTEN);
        return new SnapshotRoutes(new SnapshotOperations(
                store,
                clock,
                files,
                new Fork(files, clock, ground.keys(), ground.vault()),
                new SnapshotOperations.Parts(
                        lull,
                        engine,
                        ground.memory().orElse(_ -> {}),
                        ground.data(),
                        ground.pipes(),
                        ground.vault(),
                        ground.hash(),
                        refusal)));
    }
}
