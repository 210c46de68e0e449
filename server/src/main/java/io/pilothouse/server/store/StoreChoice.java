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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The store that a configuration names: the file in the data folder, or a database of a PostgreSQL server. */
public final class StoreChoice {
    private StoreChoice() {}

    /** Opens the store, and makes it if there is none yet. */
    public static Store open(Config config, StoreMetrics metrics) {
        Path folder = config.get(Options.DATA);
        Optional<PostgresAddress> address = config.find(StoreOptions.STORE);
        if (address.isEmpty()) {
            return SqliteStore.open(
                    folder, Thread.ofPlatform().daemon().name("store-writer").factory(), metrics);
        }
        PostgresAddress server = address.get();
        Store store = PostgresStore.openAlone(
                folder, server.url(config.find(StoreOptions.ROOT_CERT)), server.user(), password(config), metrics);
        if (SqliteStore.isIn(folder) && isEmpty(store)) {
            store.close();
            throw new StoreRefused("The store in PostgreSQL is empty, and the data folder "
                    + Escaped.text(folder.toString()) + " has one of its own: " + Options.DATA.flag()
                    + " names another folder for a new beginning.");
        }
        return store;
    }

    /** Whether opening finds a store in a data folder; one in a PostgreSQL server is always there. */
    public static boolean isThere(Config config) {
        return isInPostgres(config) || SqliteStore.isIn(config.get(Options.DATA));
    }

    /** Whether the store is not in the data folder. */
    public static boolean isInPostgres(Config config) {
        return config.find(StoreOptions.STORE).isPresent();
    }

    private static boolean isEmpty(Store store) {
        return store.read(
                tables -> tables.of(Activity.KIND).find(Activity.BEGINNING).isEmpty());
    }

    private static String password(Config config) {
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
