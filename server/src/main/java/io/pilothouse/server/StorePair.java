package io.pilothouse.server;

import io.pilothouse.plane.local.LocalDatabases;
import io.pilothouse.server.config.LocalPlaneOptions;
import io.pilothouse.server.secret.PrivateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Keeps a store and the data of its services together: beside another store, or an empty one, every endpoint would
 * move, and the data of one tenant could end up behind the address of another.
 */
final class StorePair {
    private static final String MARK = ".store";

    private final Path services;

    StorePair(Path services) {
        this.services = services;
    }

    /** Refuses a folder with the data of another store's services; {@code store} is empty for one that holds nothing. */
    void require(Optional<String> store, boolean insists) throws StartRefused, IOException {
        int count = LocalDatabases.found(services).size();
        if (count > 0 && !insists) {
            Optional<String> marked = marked();
            if (store.isEmpty()) {
                throw refused("The store is empty, and " + shown() + " has the data of " + count
                        + (count == 1 ? " service" : " services"));
            }
            if (marked.isPresent() && !marked.equals(store)) {
                throw refused("The folder " + shown() + " has the data of another store's services");
            }
        }
        if (store.isPresent()) {
            PrivateFile.makeFolder(services);
            PrivateFile.write(services.resolve(MARK), store.get().getBytes(StandardCharsets.UTF_8));
        } else {
            Files.deleteIfExists(services.resolve(MARK));
        }
    }

    private static StartRefused refused(String why) {
        return new StartRefused(why + ": put back the store and the folder of one moment, or start with "
                + LocalPlaneOptions.NEW_STORE.flag() + ", which leaves that data where it is");
    }

    private String shown() {
        return Home.shown(services);
    }

    private Optional<String> marked() throws IOException {
        Path mark = services.resolve(MARK);
        return Files.isRegularFile(mark, LinkOption.NOFOLLOW_LINKS)
                ? Optional.of(Files.readString(mark).strip())
                : Optional.empty();
    }
}
