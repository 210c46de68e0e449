package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.StoreUnavailable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup of the store with its keys: made beside writers, and put back whole or not at all. */
class StoreArchiveTest {
    @TempDir
    private Path temp;

    private Path home;
    private Path file;

    @BeforeEach
    void begin() throws IOException {
        home = Files.createDirectories(temp.resolve("home"));
        file = temp.resolve("a.backup");
        Files.createDirectories(home.resolve("tls"));
        Files.writeString(home.resolve("secret.key"), "a secret");
        Files.writeString(home.resolve("tls/ca.key"), "an authority");
    }

    private static StoreArchive archive(Path folder) {
        return new StoreArchive(folder, List.of("secret.key", "vault.key", "tls/ca.key"), Set.of("services"));
    }

    private static SqliteStore open(Path folder) {
        return SqliteStore.open(folder, Threads.PLATFORM, StoreMetrics.NONE);
    }

    private Path target() {
        return temp.resolve("other/home");
    }

    private ThrowableAssertAlternative<StoreRefused> refused(Path folder) {
        return assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> archive(folder).restore(file));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private List<String> beside() throws IOException {
        try (var files = Files.list(temp)) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    private void backup() {
        open(home).close();
        archive(home).write(file);
    }

    @Test
    void aBackupOfARunningProgramHasEverythingUpToIt() throws IOException {
        Organization row;
        Organization later;
        try (SqliteStore store = open(home)) {
            row = Samples.insert(store, Samples.row());
            archive(home).write(file);
            later = Samples.insert(store, Samples.row());
        }
        assertThat(mode(file)).isEqualTo("rw-------");
        assertThat(beside()).as("nothing else is left").containsExactly("a.backup", "home");
        archive(target()).restore(file);
        try (SqliteStore store = open(target())) {
            assertThat(Samples.isThere(store, row)).isTrue();
            assertThat(Samples.isThere(store, later)).isFalse();
        }
        assertThat(target().resolve("secret.key")).hasContent("a secret");
        assertThat(target().resolve("tls/ca.key")).hasContent("an authority");
        assertThat(target().resolve("vault.key")).as("there was none").doesNotExist();
        assertThat(target().resolve("restore.new")).doesNotExist();
        for (String name : List.of("pilothouse.db", "secret.key", "tls/ca.key")) {
            assertThat(mode(target().resolve(name))).as(name).isEqualTo("rw-------");
        }
    }

    @Test
    void aBackupIsOfOneMomentHoweverMuchIsWritten() throws InterruptedException {
        try (SqliteStore store = open(home)) {
            Thread writer = Threads.PLATFORM.newThread(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    // Two rows of one write: a copy has both or neither.
                    Organization one = Samples.row();
                    Organization other = Samples.row();
                    try {
                        store.change(tables -> {
                            tables.of(Organization.KIND).insert(one);
                            tables.of(Organization.KIND).insert(other);
                        });
                    } catch (StoreUnavailable interrupted) {
                        return;
                    }
                }
            });
            writer.start();
            for (int i = 0; i < 5; i++) {
                Path each = temp.resolve(i + ".backup");
                archive(home).write(each);
                Path folder = temp.resolve("home" + i);
                archive(folder).restore(each);
                try (SqliteStore copy = open(folder)) {
                    long rows =
                            copy.read(tables -> ((Transaction) tables).number("SELECT COUNT(*) FROM organizations"));
                    assertThat(rows % 2).isZero();
                }
            }
            writer.interrupt();
            writer.join();
        }
    }

    @Test
    void aFileThatIsThereIsLeftAsItIs() throws IOException {
        open(home).close();
        Files.writeString(file, "somebody's");
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> archive(home).write(file))
                .withMessage("There is a file " + file + " already, which is left as it is.");
        assertThat(file).hasContent("somebody's");
    }

    @Test
    void aBackupThatCannotBeMadeLeavesNothing() throws IOException {
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> archive(home).write(file))
                .withMessage("There is no store in " + home + ".");
        Files.writeString(home.resolve("pilothouse.db"), "these are notes, not a database ".repeat(100));
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> archive(home).write(file))
                .withMessageStartingWith("The backup " + file + " cannot be written: ");
        assertThat(beside()).containsExactly("home");
        Path nowhere = temp.resolve("no/folder");
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> {
                    Files.delete(home.resolve("pilothouse.db"));
                    open(home).close();
                    archive(home).write(nowhere);
                })
                .withMessage("The file " + nowhere + " cannot be made: there is no folder for it.");
    }

    @Test
    void aFolderThatIsNotEmptyIsLeftAsItIs() throws IOException {
        backup();
        Files.createDirectories(target());
        Files.writeString(target().resolve("pilothouse.db-wal"), "a log");
        refused(target())
                .withMessage("The data folder " + target() + " is not empty, it has pilothouse.db-wal: restore to an"
                        + " empty one, or move what is there away.");
        assertThat(target().resolve("pilothouse.db")).doesNotExist();
        try (SqliteStore store = open(home)) {
            refused(home).withMessageContaining("is in use by another process");
            assertThat(store.reachable()).isTrue();
        }
        refused(home).withMessageContaining("is not empty, it has pilothouse.db:");
    }

    @Test
    void dataOfDatabasesMayBeThereAlready() throws IOException {
        backup();
        Files.createDirectories(target().resolve("services"));
        Files.createDirectories(target().resolve("restore.new"));
        Files.writeString(target().resolve("restore.new/pilothouse.db"), "of a restore that was killed");
        archive(target()).restore(file);
        open(target()).close();
    }

    @Test
    void aFlippedBitAnywhereIsNeverRestored() throws IOException {
        backup();
        byte[] sound = Files.readAllBytes(file);
        int step = Math.max(1, sound.length / 200);
        int refusals = 0;
        for (int at = 0; at < sound.length; at += step) {
            byte[] flipped = sound.clone();
            flipped[at] ^= 4;
            Path folder = temp.resolve("flipped" + at);
            Files.write(file, flipped);
            try {
                archive(folder).restore(file);
                // A bit that says nothing about the content, such as one of a time.
                assertThat(Files.mismatch(folder.resolve("secret.key"), home.resolve("secret.key")))
                        .isEqualTo(-1);
                open(folder).close();
            } catch (StoreRefused e) {
                refusals++;
                assertThat(e.getMessage()).startsWith("The backup " + file + " cannot be restored: ");
                assertThat(folder.resolve("pilothouse.db")).doesNotExist();
                assertThat(folder.resolve("restore.new")).doesNotExist();
            }
        }
        assertThat(refusals).isGreaterThan(150);
    }

    @Test
    void aBackupThatWasCutShortIsRefused() throws IOException {
        backup();
        byte[] whole = Files.readAllBytes(file);
        for (int length : new int[] {0, 10, whole.length / 2, whole.length - 1}) {
            Files.write(file, Arrays.copyOf(whole, length));
            refused(target()).withMessageContaining("cannot be restored: it is no archive, or is damaged");
        }
        assertThat(target().resolve("pilothouse.db")).doesNotExist();
    }

    @Test
    void anArchiveOfSomethingElseIsRefused() throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            entry(zip, "readme", "hello");
        }
        refused(target()).withMessageContaining("it lacks sums.txt");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            entry(zip, "sums.txt", "pilothouse store backup 2\nabc pilothouse.db\n");
        }
        refused(target()).withMessageContaining("or one that a newer Pilothouse made");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            entry(zip, "../outside", "x");
            entry(zip, "sums.txt", "pilothouse store backup 1\nabc ../outside\n");
        }
        refused(target()).withMessageContaining("it has a file that is no part of a backup");
        assertThat(temp.resolve("other/outside")).doesNotExist();
        Files.delete(file);
        refused(target()).withMessageContaining(file + " does not exist");
    }

    private static void entry(ZipOutputStream zip, String name, String content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aBackupOfANewerProgramIsRefused() throws SQLException {
        open(home).close();
        try (Sql sql = new SqliteFile(home.resolve("pilothouse.db")).openForWriting()) {
            sql.once("INSERT INTO migrations (version, name, checksum) VALUES (999, 'V999__later.sql', '')");
        }
        archive(home).write(file);
        refused(target()).withMessageStartingWith("The store was written by a newer Pilothouse");
        assertThat(target().resolve("pilothouse.db")).doesNotExist();
    }
}
