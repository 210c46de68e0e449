package io.pilothouse.server;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.store.StoreChoice;
import io.pilothouse.store.StoreMetrics;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The store of a program that is stopped, as a command has it to itself; what a command does leaves a line too. */
record StoppedStore(Home home, Store store, Clock clock) implements AutoCloseable {
    /** Refuses a folder without a store, which opening would make. */
    static StoppedStore open(StoreChoice choice, Clock clock, SecureRandom random) throws StartRefused {
        Path folder = choice.folder();
        if (!choice.isThere()) {
            throw new StartRefused("There is no store in " + Home.shown(folder) + ": " + Options.DATA.flag()
                    + " names the folder that has it");
        }
        Home home = Home.open(folder);
        Store store = choice.open(StoreMetrics.NONE);
        boolean complete = false;
        try {
            StoppedStore stopped = new StoppedStore(home.keptBy(choice, store, random), store, clock);
            complete = true;
            return stopped;
        } finally {
            if (!complete) {
                store.close();
            }
        }
    }

    /** The organization that the store began with; empty for a store that holds nothing. */
    Optional<UUID> firstOrganization() {
        return store.read(StoppedStore::firstOrganization);
    }

    private static Optional<UUID> firstOrganization(Tables tables) {
        return tables.of(Activity.KIND).find(Activity.BEGINNING).map(Activity::organizationId);
    }

    /** Writes a line into the history of the first organization, which is the one of those who run the program. */
    void note(Tables tables, String type) {
        firstOrganization(tables).ifPresent(organizationId -> note(tables, organizationId, type, null));
    }

    void note(Tables tables, UUID organizationId, String type, @Nullable UUID subjectId) {
        Instant now = clock.now();
        Head head = Head.of(tables.newId(now), organizationId, now);
        tables.of(Activity.KIND).insert(Activity.bySystem(head, type, null, subjectId));
    }

    @Override
    public void close() {
        store.close();
    }
}
