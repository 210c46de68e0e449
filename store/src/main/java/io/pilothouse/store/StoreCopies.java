package io.pilothouse.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.List;

/**
 * Whole copies of an embedded store. Each is of one moment, is checked before it gets its name, and is on the disk by
 * then; the store may be written to meanwhile.
 */
public final class StoreCopies {
    private static final String SUFFIX = ".db";
    private static final String DRAFT = ".new";

    private final DataFolder folder;

    StoreCopies(DataFolder folder) {
        this.folder = folder;
    }

    /** Copies through a connection that is at no transaction into a file that is not there yet. */
    static void copy(Sql sql, Path target) throws IOException, SQLException {
        Files.createFile(target, DataFolder.OWNERS_FILE);
        sql.change("VACUUM INTO ?", target.toAbsolutePath().toString());
        check(target);
        sync(target);
    }

    /** Refuses a file that is not a sound store; returns its form, which this program may not know. */
    static int check(Path file) throws SQLException {
        try (Sql sql = new SqliteFile(file).openForReading()) {
            List<String> found = sql.list("PRAGMA quick_check(1)", row -> row.getString(1));
            if (!found.equals(List.of("ok"))) {
                throw new SQLException("it is damaged: " + String.join(" ", found));
            }
            return Migrations.form(sql, new SqliteDialect());
        }
    }

    /** Keeps the store as it is, under the number of its form, before it gets another one. */
    void keep(Sql sql, int form) {
        Path kept = kept(form);
        Path draft = folder.path().resolve(kept.getFileName() + DRAFT);
        try {
            Files.deleteIfExists(draft);
            copy(sql, draft);
            put(draft, kept);
        } catch (IOException | SQLException e) {
            throw new StoreRefused(
                    "The store would get a new form, and the copy " + kept + " of the old one cannot be written: "
                            + e.getMessage() + ". The store is as it was.",
                    e);
        }
    }

    /** What going back did: the form that the store has again, and where the newer one is kept. */
    public record Reverted(int form, Path newer) {}

    /**
     * Puts the copy from before a migration in the place of a store that a newer program wrote, which is kept as a
     * copy itself. Killed anywhere, the store is one of the two.
     *
     * @throws StoreRefused with a sentence if the store is not newer, there is no copy, or one of them is damaged
     */
    public static Reverted revert(Path path) {
        SqliteStore.requireIsIn(path);
        try (DataFolder taken = DataFolder.take(path)) {
            return new StoreCopies(taken).revert(Migrations.ofThisProgram().newestForm());
        }
    }

    private Reverted revert(int known) {
        Path store = folder.file(SqliteStore.FILE);
        try {
            int form = check(store);
            if (form <= known) {
                throw new StoreRefused("The store is not newer than this program (its form is " + form
                        + "): there is nothing to go back from.");
            }
            int before = known;
            while (before > 0 && Files.notExists(kept(before))) {
                before--;
            }
            if (before == 0) {
                throw new StoreRefused("There is no copy of the store from before its form " + form
                        + ": start the newer version again, or restore a backup.");
            }
            check(kept(before));
            try (Sql sql = new SqliteFile(store).openForWriting()) {
                keep(sql, form);
            }
            // The log went with its last connection; one that stayed would be played into the older store.
            if (Files.exists(folder.path().resolve(SqliteStore.FILE + "-wal"))) {
                throw new StoreRefused("The store is in use by a program that does not hold the folder's lock.");
            }
            Path draft = folder.path().resolve(SqliteStore.FILE + DRAFT);
            Files.deleteIfExists(draft);
            Files.createFile(draft, DataFolder.OWNERS_FILE);
            Files.copy(kept(before), draft, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
            sync(draft);
            put(draft, store);
            return new Reverted(before, kept(form));
        } catch (IOException | SQLException e) {
            throw new StoreRefused("The store could not be put back: " + e.getMessage() + ".", e);
        }
    }

    private Path kept(int form) {
        return folder.path().resolve("pilothouse-" + form + SUFFIX);
    }

    /** Gives a whole file its name, for good. */
    static void put(Path draft, Path file) throws IOException {
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            sync(folder);
        }
    }

    static void sync(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
