package io.pilothouse.server.config;

import java.nio.file.Path;
import java.util.Set;

/** The settings of a store that is not in the data folder. */
public final class StoreOptions {
    private static final Set<String> COMMANDS = Set.of("up", Options.KEYS_COMMAND, Options.STORE_COMMAND);

    public static final Option<PostgresAddress> STORE = new Option<>(
            "store",
            "URL",
            null,
            PostgresAddress::read,
            Option.Kind.PLAIN,
            COMMANDS,
            "the PostgreSQL database that is the store, postgresql://USER@HOST:PORT/DATABASE; without it a file in the data folder");
    public static final Option<String> PASSWORD = new Option<>(
            "store-password",
            "PASSWORD",
            null,
            Values::visible,
            Option.Kind.SECRET,
            COMMANDS,
            "the password of that user");
    public static final Option<Path> PASSWORD_FILE = new Option<>(
            "store-password-file",
            "FILE",
            null,
            Values::path,
            Option.Kind.PLAIN,
            COMMANDS,
            "instead of store-password: a file that has it");
    public static final Option<Path> ROOT_CERT = new Option<>(
            "store-root-cert",
            "FILE",
            null,
            Values::path,
            Option.Kind.PLAIN,
            COMMANDS,
            "certificates (PEM) of the authorities that the PostgreSQL server's certificate may be of; without it those that Java trusts");
    public static final Option<Boolean> SHARED = new Option<>(
            "store-shared",
            "",
            "false",
            Values::truth,
            Option.Kind.PLAIN,
            Set.of("up"),
            "share the store in PostgreSQL, and the work, with other processes that were given this too");

    public static final Option<Path> KEY = new Option<>(
            "store-key",
            "FILE",
            null,
            Values::path,
            Option.Kind.PLAIN,
            COMMANDS,
            "32 random bytes, as they are or in base64, that secret.key, vault.key and the authority are sealed under in a PostgreSQL store; without it they are files in the data folder");
    public static final Option<String> KEY_TEXT = new Option<>(
            "store-key-text",
            "BASE64",
            null,
            Values::visible,
            Option.Kind.SECRET,
            COMMANDS,
            "instead of store-key: the same bytes in base64");

    private StoreOptions() {}
}
