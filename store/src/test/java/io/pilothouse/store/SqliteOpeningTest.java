package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.pilothouse.core.organization.Organization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opening the embedded store: whose the folder is, and sentences for those who cannot have it. */
class SqliteOpeningTest {
    @TempDir
    private Path temp;

    private static SqliteStore open(Path folder) {
        return SqliteStore.open(folder, Threads.PLATFORM, StoreMetrics.NONE);
    }

    private static ThrowableAssertAlternative<StoreRefused> refused(Path folder) {
        return assertThatExceptionOfType(StoreRefused.class).isThrownBy(() -> open(folder));
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void filesAreTheirOwnersAlone() throws IOException {
        Path folder = temp.resolve("deep/data");
        try (SqliteStore store = open(folder)) {
            Samples.insert(store, Samples.row());
            assertThat(mode(folder)).isEqualTo("rwx------");
            for (String file : new String[] {"pilothouse.db", "pilothouse.db-wal", "pilothouse.db-shm", "lock"}) {
                assertThat(mode(folder.resolve(file))).as(file).isEqualTo("rw-------");
            }
        }
    }

    @Test
    void filesThatOthersCouldReadAreClosedToThem() throws IOException {
        open(temp).close();
        Files.setPosixFilePermissions(temp.resolve("pilothouse.db"), PosixFilePermissions.fromString("rw-r--r--"));
        open(temp).close();
        assertThat(mode(temp.resolve("pilothouse.db"))).isEqualTo("rw-------");
    }

    @Test
    void storeFindsEverythingAgain() {
        Organization row;
        try (SqliteStore store = open(temp)) {
            row = Samples.insert(store, Samples.row());
        }
        try (SqliteStore store = open(temp)) {
            assertThat(Samples.isThere(store, row)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a?mode=ro", "#1", "50%41", "ü ß", "file:x", "a&b=c"})
    void folderMayHaveAnyName(String name) {
        Path folder = temp.resolve(name);
        try (SqliteStore store = open(folder)) {
            Samples.insert(store, Samples.row());
        }
        assertThat(folder.resolve("pilothouse.db")).isNotEmptyFile();
    }

    @Test
    void folderInUseIsRefusedUntilItIsFree() {
        try (SqliteStore store = open(temp)) {
            refused(temp).withMessage("The data folder %s is in use by another process: stop that one first.", temp);
            assertThat(store.reachable()).isTrue();
        }
        open(temp).close();
    }

    @Test
    void fileInPlaceOfTheFolderIsRefused() throws IOException {
        Path file = Files.createFile(temp.resolve("file"));
        refused(file).withMessageStartingWith("The data folder " + file + " cannot be used");
    }

    @Test
    void folderInPlaceOfTheFileIsRefused() throws IOException {
        Files.createDirectories(temp.resolve("pilothouse.db"));
        refused(temp).withMessageStartingWith("The store in " + temp + " cannot be opened");
        Files.delete(temp.resolve("pilothouse.db"));
        open(temp).close();
    }

    @Test
    void fileThatIsNoDatabaseIsRefused() throws IOException {
        Files.writeString(temp.resolve("pilothouse.db"), "these are notes, not a database ".repeat(100));
        refused(temp).withMessage("The store in %s cannot be opened: its file is not a database.", temp);
    }

    @Test
    void writerMustBeAPlatformThread() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SqliteStore.open(temp, Thread.ofVirtual().factory(), StoreMetrics.NONE));
        open(temp).close();
    }
}
