package io.pilothouse.server.store;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.port.Store;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.config.PostgresAddress;
import io.pilothouse.server.config.StoreOptions;
import io.pilothouse.server.log.Escaped;
import io.pilothouse.store.PostgresStore;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.store.StoreRefused;
import io.pilothouse.store.StoreTransfer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A store that can be opened: the file in a data folder or, if there is a server, a database of that. The folder has the
 * keys in both cases; the configuration has the password.
 */
public record StoreChoice(Path folder, Optional<PostgresAddress> server, Config config) {
    /** The store that the program works on by its configuration. */
    public static StoreChoice of(Config config) {
        return new StoreChoice(config.get(Options.DATA), config.find(StoreOptions.STORE), config);
    }

    /** Opens the store, and makes it if there is none yet. */
    public Store open(StoreMetrics metrics) {
        if (server.isEmpty()) {
            return SqliteStore.open(
                    folder, Thread.ofPlatform().daemon().name("store-writer").factory(), metrics);
        }
        Store store =
                PostgresStore.openAlone(folder, url(server.get()), server.get().user(), password(), metrics);
        if (SqliteStore.isIn(folder) && isEmpty(store)) {
            store.close();
            throw new StoreRefused("The store in PostgreSQL is empty, and the data folder "
                    + Escaped.text(folder.toString())
                    + " has one of its own: ./pilothouse store copy takes it there, or "
                    + Options.DATA.flag() + " names another folder for a new beginning.");
        }
        return store;
    }

    /** Whether opening finds a store in a data folder; one in a PostgreSQL server is always there. */
    public boolean isThere() {
        return isInPostgres() || SqliteStore.isIn(folder);
    }

    /** Whether the store is not in the data folder. */
    public boolean isInPostgres() {
        return server.isPresent();
    }

    /** Takes the store of the folder into this one, which is in PostgreSQL. */
    public StoreTransfer.Moved copyIn() {
        PostgresAddress address = server.orElseThrow();
        return StoreTransfer.intoPostgres(folder, url(address), address.user(), password());
    }

    /** Takes this store, which is in PostgreSQL, into the folder. */
    public StoreTransfer.Moved copyOut() {
        PostgresAddress address = server.orElseThrow();
        return StoreTransfer.outOfPostgres(folder, url(address), address.user(), password());
    }

    private String url(PostgresAddress address) {
        return address.url(config.find(StoreOptions.ROOT_CERT));
    }

    private static boolean isEmpty(Store store) {
        return store.read(
                tables -> tables.of(Activity.KIND).find(Activity.BEGINNING).isEmpty());
    }

    private String password() {
        Optional<Path> file = config.find(StoreOptions.PASSWORD_FILE);
        if (file.isEmpty()) {
            return config.find(StoreOptions.PASSWORD).orElse("");
        }
        try {
            return Files.readString(file.get()).strip();
        } catch (IOException e) {
            throw new StoreRefused(
                    "The file of " + StoreOptions.PASSWORD_FILE.flag() + " cannot be read: "
                            + Escaped.text(file.get().toString()) + ".",
                    e);
        }
    }
}
