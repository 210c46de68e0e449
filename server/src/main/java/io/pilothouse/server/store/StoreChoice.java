package io.pilothouse.server.store;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.config.Plane;
import io.pilothouse.server.config.PostgresAddress;
import io.pilothouse.server.config.StoreOptions;
import io.pilothouse.server.host.HostFile;
import io.pilothouse.server.log.Escaped;
import io.pilothouse.server.secret.StoreKey;
import io.pilothouse.store.PostgresStore;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreArchive;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.store.StoreRefused;
import io.pilothouse.store.StoreTransfer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.UnaryOperator;

/**
 * A store that can be opened: the file in a data folder or, if there is a server, a database of that. The folder has the
 * keys in both cases; the configuration has the password.
 */
public record StoreChoice(Path folder, Optional<PostgresAddress> server, Config config) {
    private static final ThreadFactory WRITERS =
            Thread.ofPlatform().daemon().name("store-writer").factory();

    /** The store that the program works on by its configuration. */
    public static StoreChoice of(Config config) {
        Optional<PostgresAddress> server = config.find(StoreOptions.STORE);
        if (server.isEmpty() && isKeyGiven(config)) {
            throw new StoreRefused(StoreOptions.KEY.flag() + " is for a store in PostgreSQL, which "
                    + StoreOptions.STORE.flag() + " names: the keys of one in the data folder are files beside it.");
        }
        return new StoreChoice(config.get(Options.DATA), server, config);
    }

    /** Opens the store, and makes it if there is none yet. */
    public Store open(StoreMetrics metrics) {
        if (server.isEmpty()) {
            return SqliteStore.open(folder, WRITERS, metrics);
        }
        PostgresStore store =
                PostgresStore.openAlone(folder, url(server.get()), server.get().user(), password(), WRITERS, metrics);
        refuseToBeginBesideAnother(store);
        return store;
    }

    /** Opens the store for the program itself, with others if it was asked to; {@code machine} is the time of here. */
    public OpenStore openToWork(StoreMetrics metrics, Clock machine, UnaryOperator<Store> decorator) {
        if (!config.get(StoreOptions.SHARED)) {
            return new OpenStore.Alone(decorator.apply(open(metrics)), machine);
        }
        if (server.isEmpty()) {
            throw new StoreRefused(StoreOptions.SHARED.flag() + " is for a store in PostgreSQL, which "
                    + StoreOptions.STORE.flag() + " names: a file of a data folder has one process.");
        }
        Plane plane = config.find(Options.PLANE)
                .orElseThrow(() -> new StoreRefused("Processes that share a store all have the same plane: "
                        + StoreOptions.SHARED.flag() + " needs " + Options.PLANE.flag() + "."));
        PostgresStore store =
                PostgresStore.openShared(folder, url(server.get()), server.get().user(), password(), WRITERS, metrics);
        refuseToBeginBesideAnother(store);
        if (plane == Plane.LOCAL) {
            store.workFor(HostFile.idOf(folder));
        }
        try {
            StoreClock clock = new StoreClock(machine, System::nanoTime, store::serverTime);
            return new OpenStore.Shared(decorator.apply(store), clock, store, store.allowances());
        } catch (StoreUnavailable | StoreRefused e) {
            store.close();
            throw e;
        }
    }

    private void refuseToBeginBesideAnother(Store store) {
        if (SqliteStore.isIn(folder) && isEmpty(store)) {
            store.close();
            throw new StoreRefused("The store in PostgreSQL is empty, and the data folder "
                    + Escaped.text(folder.toString())
                    + " has one of its own: ./pilothouse store copy takes it there, or "
                    + Options.DATA.flag() + " names another folder for a new beginning.");
        }
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
    public StoreTransfer.Moved copyIn(StoreTransfer.Progress progress) {
        PostgresAddress address = server.orElseThrow();
        return StoreTransfer.intoPostgres(folder, url(address), address.user(), password(), progress);
    }

    /** Takes this store, which is in PostgreSQL, into the folder. */
    public StoreTransfer.Moved copyOut(StoreTransfer.Progress progress) {
        PostgresAddress address = server.orElseThrow();
        return StoreTransfer.outOfPostgres(folder, url(address), address.user(), password(), progress);
    }

    /**
     * This store with these files of its folder as one file; without them where it has its keys itself, sealed.
     *
     * @param mayStay what may be in the folder when such a file is put back there
     */
    public StoreArchive archive(List<String> keys, Set<String> mayStay) {
        return server.map(address -> StoreArchive.ofPostgres(folder, keys, url(address), address.user(), password()))
                .orElseGet(() -> new StoreArchive(folder, keys, mayStay));
    }

    private String url(PostgresAddress address) {
        return address.url(config.find(StoreOptions.ROOT_CERT));
    }

    private static boolean isKeyGiven(Config config) {
        return config.find(StoreOptions.KEY).isPresent()
                || config.find(StoreOptions.KEY_TEXT).isPresent();
    }

    /** The key that the keys in this store are sealed under, if one is given. */
    public Optional<byte[]> key() {
        if (!isInPostgres()) {
            return Optional.empty();
        }
        Optional<byte[]> ofFile = config.find(StoreOptions.KEY).map(StoreKey::read);
        return ofFile.isPresent()
                ? ofFile
                : config.find(StoreOptions.KEY_TEXT).map(text -> StoreKey.of(text, StoreOptions.KEY_TEXT.variable()));
    }

    /** Whether a store holds nothing yet. */
    public static boolean isEmpty(Store store) {
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
