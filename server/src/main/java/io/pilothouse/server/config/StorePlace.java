package io.pilothouse.server.config;

import java.nio.file.Path;

/** Where a store is: in a data folder, or in a database of a PostgreSQL server. */
public sealed interface StorePlace {
    /** A store that is a file of this data folder. */
    record Folder(Path path) implements StorePlace {}

    /** A store in this database. */
    record Server(PostgresAddress address) implements StorePlace {}

    /**
     * Reads what somebody typed.
     *
     * @throws IllegalArgumentException with a sentence that does not repeat it
     */
    static StorePlace of(String typed) {
        try {
            return typed.startsWith("postgres:") || typed.startsWith("postgresql:")
                    ? new Server(PostgresAddress.read(typed))
                    : new Folder(Values.path(typed));
        } catch (BadValue e) {
            throw new IllegalArgumentException("A place of a store " + e.requirement(), e);
        }
    }
}
