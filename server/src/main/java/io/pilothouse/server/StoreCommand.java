package io.pilothouse.server;

import io.pilothouse.core.port.Clock;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.store.StoreChoice;
import io.pilothouse.store.StoreArchive;
import io.pilothouse.store.StoreCopies;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The command that keeps the store and its keys safe: backs them up while the program runs, and puts them back. */
final class StoreCommand {
    private static final List<String> KEYS = List.of("secret.key", "vault.key", "tls/ca.key", "tls/ca.crt");
    private static final Set<String> DATABASES = Set.of("services", "backups");

    private final Clock clock;
    private final PrintStream out;
    private final Verbs verbs;

    StoreCommand(Map<String, String> environment, Clock clock, PrintStream out, PrintStream err) {
        this.clock = clock;
        this.out = out;
        this.verbs = new Verbs(
                Options.STORE_COMMAND,
                List.of(
                        new Verbs.Verb(
                                "backup",
                                List.of("FILE"),
                                "writes the store and its keys into a new file, while the program runs or not",
                                this::backup),
                        new Verbs.Verb(
                                "restore", List.of("FILE"), "puts them back into an empty data folder", this::restore),
                        new Verbs.Verb(
                                "revert",
                                List.of(),
                                "goes back to the copy from before a newer version changed the store",
                                this::revert)),
                environment,
                out,
                err);
    }

    int run(List<String> arguments) {
        return verbs.run(arguments);
    }

    private void backup(List<String> objects, Config config) throws StartRefused {
        requireInFolder(config);
        Path file = Path.of(objects.getFirst());
        archive(config).write(file);
        out.println("The store and its keys are in " + Home.shown(file) + ". Keep it as you keep secret.key: everything"
                + " that the store seals opens with it. The data of databases is not in it.");
        StoreArchive.unfinishedBeside(file)
                .forEach(
                        left -> out.println(Home.shown(left) + " is of a backup that is under way, or was cut short: it"
                                + " has keys in it, so remove it if no other backup is being made."));
    }

    private void restore(List<String> objects, Config config) throws StartRefused {
        requireInFolder(config);
        archive(config).restore(Path.of(objects.getFirst()));
        note(config, "store_restore");
        out.println("The store and its keys are in " + Home.shown(config.get(Options.DATA))
                + ". Services whose data is not there will be failed, and say so: ./pilothouse up starts the program.");
    }

    private void revert(List<String> nothing, Config config) throws StartRefused {
        requireInFolder(config);
        StoreCopies.Reverted reverted = StoreCopies.revert(config.get(Options.DATA));
        note(config, "store_revert");
        out.println("The store has its form " + reverted.form() + " again, as it was before it was changed. What came"
                + " after that is in " + Home.shown(reverted.newer()) + " only.");
    }

    private static void requireInFolder(Config config) throws StartRefused {
        if (StoreChoice.isInPostgres(config)) {
            throw new StartRefused("This is for a store in the data folder: one in PostgreSQL is backed up with pg_dump"
                    + " and put back with pg_restore, together with secret.key, vault.key and tls of the data folder");
        }
    }

    private void note(Config config, String type) throws StartRefused {
        try (StoppedStore stopped = StoppedStore.open(config, clock)) {
            stopped.store().change(tables -> stopped.note(tables, type));
        }
    }

    private static StoreArchive archive(Config config) {
        return new StoreArchive(config.get(Options.DATA), KEYS, DATABASES);
    }
}
