package io.pilothouse.server;

import io.pilothouse.core.port.Clock;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.config.PostgresAddress;
import io.pilothouse.server.config.StoreOptions;
import io.pilothouse.server.config.StorePlace;
import io.pilothouse.server.store.StoreChoice;
import io.pilothouse.store.StoreArchive;
import io.pilothouse.store.StoreCopies;
import io.pilothouse.store.StoreTransfer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** The command that keeps the store and its keys safe: backs them up while the program runs, and puts them back. */
final class StoreCommand {
    private static final String SECRET = "secret.key";
    private static final List<String> KEYS = List.of(SECRET, "vault.key", "tls/ca.key", "tls/ca.crt");
    private static final Set<String> DATABASES = Set.of("services", "backups");

    /** Some seconds of a copy. */
    private static final int ROWS_OF_A_LINE = 100_000;

    private static final String RESTORE = "store_restore";
    private static final String FROM = "--from";
    private static final String TO = "--to";

    private final Clock clock;
    private final SecureRandom random;
    private final PrintStream out;
    private final Verbs verbs;

    StoreCommand(Map<String, String> environment, Clock clock, SecureRandom random, PrintStream out, PrintStream err) {
        this.clock = clock;
        this.random = random;
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
                                "restore", List.of("FILE"), "puts them back where there is no store", this::restore),
                        new Verbs.Verb(
                                "revert",
                                List.of(),
                                "goes back to the copy from before a newer version changed the store",
                                this::revert),
                        new Verbs.Verb(
                                "copy",
                                List.of(FROM + " DIR|URL", TO + " DIR|URL"),
                                "copies the store of a data folder into PostgreSQL, or back, while the program is stopped",
                                this::copy)),
                environment,
                out,
                err);
    }

    int run(List<String> arguments) {
        boolean copies = !arguments.isEmpty() && arguments.getFirst().equals("copy");
        return verbs.run(copies ? placesFirst(arguments) : arguments);
    }

    /** A verb's objects have no names; those of a copy do, so that nobody copies the wrong way round. */
    private static List<String> placesFirst(List<String> arguments) {
        List<String> rest = new ArrayList<>(arguments);
        Optional<String> from = taken(rest, FROM);
        Optional<String> to = taken(rest, TO);
        if (from.isEmpty() || to.isEmpty()) {
            return List.of("copy");
        }
        rest.addAll(1, List.of(from.get(), to.get()));
        return rest;
    }

    private static Optional<String> taken(List<String> arguments, String name) {
        int at = arguments.indexOf(name);
        if (at < 0 || at + 1 == arguments.size()) {
            return Optional.empty();
        }
        arguments.remove(at);
        return Optional.of(arguments.remove(at));
    }

    private void backup(List<String> objects, Config config) {
        StoreChoice choice = StoreChoice.of(config);
        Path file = Path.of(objects.getFirst());
        boolean hasKeys = choice.archive(KEYS, DATABASES).write(file);
        out.println("The store and its keys are in " + Home.shown(file) + ". "
                + (hasKeys
                        ? "Keep it as you keep secret.key: everything that the store seals opens with it."
                        : "The keys are sealed in it: it opens with the key of " + StoreOptions.KEY.flag()
                                + ", which is not in it.")
                + " The data of databases is not in it.");
        StoreArchive.unfinishedBeside(file)
                .forEach(
                        left -> out.println(Home.shown(left) + " is of a backup that is under way, or was cut short: it"
                                + " has keys in it, so remove it if no other backup is being made."));
    }

    private void restore(List<String> objects, Config config) throws StartRefused {
        StoreChoice choice = StoreChoice.of(config);
        Path file = Path.of(objects.getFirst());
        boolean sealed = StoreArchive.lacks(file, SECRET);
        if (choice.isInPostgres()) {
            if (sealed && choice.key().isEmpty()) {
                // Before the rows: they could not be put there again.
                throw new StartRefused("The keys in " + Home.shown(file) + " are sealed: " + StoreOptions.KEY.flag()
                        + " names the file with the key that opens them");
            }
            restore(file, choice);
            return;
        }
        if (sealed) {
            throw new StartRefused("The keys in " + Home.shown(file) + " are sealed: restore it to PostgreSQL, with "
                    + StoreOptions.STORE.flag() + " and " + StoreOptions.KEY.flag());
        }
        choice.archive(KEYS, DATABASES).restore(file);
        note(config, RESTORE);
        out.println("The store and its keys are in " + Home.shown(choice.folder())
                + ". Services whose data is not there will be failed, and say so: ./pilothouse up starts the program.");
    }

    /**
     * Through a folder, where all of it is checked. Keys go to their place before the rows: with the rows alone the store
     * would hold something, and could not be restored to again.
     */
    private void restore(Path file, StoreChoice choice) throws StartRefused {
        Path data = Home.open(choice.folder()).path();
        new StoreArchive(data, KEYS, DATABASES).whileUnpacked(file, unpacked -> {
            Home.open(unpacked).keepInFiles(data);
            StoreTransfer.Moved moved = new StoreChoice(unpacked, choice.server(), choice.config()).copyIn(lines());
            try (StoppedStore stopped = StoppedStore.open(choice, clock, random)) {
                openSecrets(stopped);
                stopped.store().change(tables -> stopped.note(tables, RESTORE));
            }
            out.println(moved.rows() + " rows are in PostgreSQL, and the keys "
                    + (choice.key().isPresent() ? "are sealed with them." : "in " + Home.shown(data) + ".")
                    + " Services whose data is not there will be failed, and say so: ./pilothouse up starts the"
                    + " program.");
        });
    }

    private void revert(List<String> nothing, Config config) throws StartRefused {
        requireInFolder(config);
        StoreCopies.Reverted reverted = StoreCopies.revert(config.get(Options.DATA));
        note(config, "store_revert");
        out.println("The store has its form " + reverted.form() + " again, as it was before it was changed. What came"
                + " after that is in " + Home.shown(reverted.newer()) + " only.");
    }

    private void copy(List<String> places, Config config) throws StartRefused {
        StorePlace from = place(places.getFirst());
        StorePlace to = place(places.getLast());
        if (from instanceof StorePlace.Folder(Path folder)
                && to instanceof StorePlace.Server(PostgresAddress address)) {
            StoreChoice server = new StoreChoice(folder, Optional.of(address), config);
            copy(new StoreChoice(folder, Optional.empty(), config), server::copyIn, server);
            out.println("Start the program with " + StoreOptions.STORE.flag() + " " + address + " and "
                    + Options.DATA.flag() + " " + Home.shown(folder) + ", which has the keys.");
        } else if (from instanceof StorePlace.Server(PostgresAddress address)
                && to instanceof StorePlace.Folder(Path folder)) {
            StoreChoice server = new StoreChoice(folder, Optional.of(address), config);
            copy(server, server::copyOut, new StoreChoice(folder, Optional.empty(), config));
        } else {
            throw new StartRefused("A store is copied from a data folder to a database in PostgreSQL, or from such a"
                    + " database to a data folder");
        }
    }

    /** The secrets are opened before, so that nothing is copied in vain, and again in the copy. */
    private void copy(StoreChoice from, Function<StoreTransfer.Progress, StoreTransfer.Moved> transfer, StoreChoice to)
            throws StartRefused {
        try (StoppedStore stopped = StoppedStore.open(from, clock, random)) {
            openSecrets(stopped);
            if (from.isInPostgres() && from.key().isPresent()) {
                // Before the rows: a copy without its keys would open for nobody.
                stopped.home().keepInFiles(stopped.home().path());
            }
        }
        StoreTransfer.Moved moved = transfer.apply(lines());
        try (StoppedStore stopped = StoppedStore.open(to, clock, random)) {
            int secrets = openSecrets(stopped);
            stopped.store().change(tables -> stopped.note(tables, "store_copy"));
            out.println(moved.rows() + " rows of " + moved.tables() + " tables are copied and compared, and " + secrets
                    + (secrets == 1 ? " thing with credentials opens" : " things with credentials open")
                    + " with vault.key. The store that was copied is as it was: work on one of the two only.");
        }
    }

    /** A line now and then, and one at the end. */
    private StoreTransfer.Progress lines() {
        AtomicLong next = new AtomicLong(ROWS_OF_A_LINE);
        return (rows, all) -> {
            if (rows == all || rows >= next.get()) {
                out.println(rows + " of " + all + " rows are copied.");
                next.set(rows + ROWS_OF_A_LINE);
            }
        };
    }

    private int openSecrets(StoppedStore stopped) throws StartRefused {
        stopped.home().secretHash(stopped.store(), false, random);
        return new VaultFile(stopped.home(), stopped.store(), random).openAll();
    }

    private static StorePlace place(String typed) throws StartRefused {
        try {
            return StorePlace.of(typed);
        } catch (IllegalArgumentException e) {
            throw new StartRefused(String.valueOf(e.getMessage()), e);
        }
    }

    private static void requireInFolder(Config config) throws StartRefused {
        if (StoreChoice.of(config).isInPostgres()) {
            throw new StartRefused("This is for a store in the data folder: no copy of one in PostgreSQL is kept before"
                    + " it is changed, so restore a backup of it with the version that made it");
        }
    }

    private void note(Config config, String type) throws StartRefused {
        try (StoppedStore stopped = StoppedStore.open(StoreChoice.of(config), clock, random)) {
            stopped.store().change(tables -> stopped.note(tables, type));
        }
    }
}
