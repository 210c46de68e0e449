package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.store.Migrations.Step;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The copy that is kept before a store gets a new form, and the way back to it. */
class StoreCopiesTest {
    private static final int OLDER = 9;
    private static final int NEWER = 999;

    @TempDir
    private Path folder;

    private SqliteStore open() {
        return SqliteStore.open(folder, Threads.PLATFORM, StoreMetrics.NONE);
    }

    private Path store() {
        return folder.resolve("pilothouse.db");
    }

    private Path older() {
        return folder.resolve("pilothouse-" + OLDER + ".db");
    }

    private static Step step(int version) throws IOException {
        String name = Migrations.FILES.get(version - 1);
        try (InputStream text = Objects.requireNonNull(Migrations.class.getResourceAsStream("migrations/" + name))) {
            return new Step(version, name, new String(text.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** A store as a program of then left it. */
    private void olderStore() throws IOException, SQLException {
        List<Step> steps = new ArrayList<>();
        for (int version = 1; version <= OLDER; version++) {
            steps.add(step(version));
        }
        try (Sql sql = new SqliteFile(store()).openForWriting()) {
            sql.change("BEGIN IMMEDIATE");
            new Migrations(steps).apply(sql);
            sql.change("COMMIT");
        }
    }

    private void inTheStore(String statement) throws SQLException {
        try (Sql sql = new SqliteFile(store()).openForWriting()) {
            sql.once(statement);
        }
    }

    private void asANewerProgramLeftIt() throws SQLException {
        inTheStore("INSERT INTO migrations (version, name, checksum) VALUES (" + NEWER + ", 'V999__later.sql', '')");
    }

    @Test
    void aNewStoreLeavesNoCopy() throws IOException {
        open().close();
        open().close();
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("pilothouse.db", "lock");
        }
    }

    @Test
    void aStoreIsCopiedBeforeItGetsANewForm() throws IOException, SQLException {
        olderStore();
        open().close();
        assertThat(StoreCopies.check(older())).isEqualTo(OLDER);
        assertThat(StoreCopies.check(store())).isEqualTo(Migrations.FILES.size());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(older())))
                .isEqualTo("rw-------");
    }

    @Test
    void withoutRoomForTheCopyTheStoreStaysAsItIs() throws IOException, SQLException {
        olderStore();
        // A folder with something in it, where the copy is made: as good as a disk that takes nothing.
        Files.createDirectories(folder.resolve("pilothouse-" + OLDER + ".db.new/full"));
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(this::open)
                .withMessageContaining("the copy " + older() + " of the old one cannot be written")
                .withMessageEndingWith("The store is as it was.");
        assertThat(StoreCopies.check(store())).isEqualTo(OLDER);
    }

    @Test
    void anUnfinishedCopyIsWrittenOver() throws IOException, SQLException {
        olderStore();
        Files.writeString(folder.resolve("pilothouse-" + OLDER + ".db.new"), "half of a co");
        Files.writeString(older(), "of an upgrade that was undone since");
        open().close();
        assertThat(StoreCopies.check(older())).isEqualTo(OLDER);
    }

    @Test
    void aDowngradeIsRefusedAndNamesTheWayBackWhichWorks() throws IOException, SQLException {
        olderStore();
        Organization before;
        try (SqliteStore store = open()) {
            before = Samples.insert(store, Samples.row());
        }
        asANewerProgramLeftIt();
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(this::open)
                .withMessageContaining("its form is " + NEWER)
                .withMessageContaining("./pilothouse store revert");
        StoreCopies.Reverted reverted = StoreCopies.revert(folder);
        assertThat(reverted.form()).isEqualTo(OLDER);
        assertThat(reverted.newer()).isEqualTo(folder.resolve("pilothouse-" + NEWER + ".db"));
        assertThat(StoreCopies.check(reverted.newer())).isEqualTo(NEWER);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(store())))
                .isEqualTo("rw-------");
        assertThat(folder.resolve("pilothouse.db-wal")).doesNotExist();
        try (SqliteStore store = open()) {
            assertThat(Samples.isThere(store, before))
                    .as("what came after the copy")
                    .isFalse();
        }
    }

    @Test
    void whatIsNotNewerIsNotPutBack() throws IOException, SQLException {
        olderStore();
        open().close();
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> StoreCopies.revert(folder))
                .withMessageContaining("there is nothing to go back from");
        assertThat(StoreCopies.check(store())).isEqualTo(Migrations.FILES.size());
    }

    @Test
    void withoutACopyThereIsNoWayBack() throws SQLException {
        open().close();
        asANewerProgramLeftIt();
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> StoreCopies.revert(folder))
                .withMessageContaining("There is no copy of the store from before its form " + NEWER);
    }

    @Test
    void whereThereIsNoStoreNoneIsMade() {
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> StoreCopies.revert(folder))
                .withMessage("There is no store in %s.", folder);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aDamagedCopyIsNotPutBack() throws IOException, SQLException {
        olderStore();
        open().close();
        asANewerProgramLeftIt();
        Files.writeString(older(), "these are notes, not a database ".repeat(100));
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> StoreCopies.revert(folder))
                .withMessageStartingWith("The store could not be put back: ");
        assertThat(StoreCopies.check(store())).isEqualTo(NEWER);
    }

    @Test
    void aStoreInUseIsNotPutBack() {
        try (SqliteStore store = open()) {
            assertThatExceptionOfType(StoreRefused.class)
                    .isThrownBy(() -> StoreCopies.revert(folder))
                    .withMessageContaining("is in use by another process");
            assertThat(store.reachable()).isTrue();
        }
    }
}
