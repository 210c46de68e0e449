package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.testkit.disk.FaultyDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A backup of the store that dies, or meets a fault of the disk, at each of its changes to the disk. */
class StoreArchiveDeathTest {
    private static final int MAX_CHANGES = 100;

    @TempDir
    private Path temp;

    private Path home;
    private Organization row;

    @BeforeEach
    void begin() throws IOException {
        home = Files.createDirectories(temp.resolve("home"));
        Files.writeString(home.resolve("secret.key"), "a secret");
        try (SqliteStore store = SqliteStore.open(home, Threads.PLATFORM, StoreMetrics.NONE)) {
            row = Samples.insert(store, Samples.row());
        }
    }

    private static StoreArchive archive(Path folder) {
        return new StoreArchive(folder, List.of("secret.key"), Set.of());
    }

    /** Whether it was written, as far as the caller knows. */
    private boolean backsUp(Path file) {
        try {
            archive(home).write(file);
            return true;
        } catch (StoreRefused dead) {
            return false;
        }
    }

    private void restores(Path file) {
        Path other = temp.resolve(UUID.randomUUID().toString());
        archive(other).restore(file);
        try (SqliteStore store = SqliteStore.open(other, Threads.PLATFORM, StoreMetrics.NONE)) {
            assertThat(Samples.isThere(store, row)).isTrue();
        }
        assertThat(other.resolve("secret.key")).hasContent("a secret");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void deathAnywhereLeavesNoHalfFileAndTheNextTryCleansUp(boolean torn) throws IOException {
        int change = 0;
        boolean written = false;
        while (!written) {
            assertThat(change).isLessThan(MAX_CHANGES);
            Path folder = Files.createDirectories(temp.resolve("backups-" + change));
            Path file = folder.resolve("a.backup");
            FaultyDisk disk = new FaultyDisk().dead(change, torn);
            written = backsUp(disk.at(file));
            if (Files.exists(file)) {
                restores(file);
            } else {
                assertThat(StoreArchive.unfinishedBeside(file)).hasSizeLessThanOrEqualTo(1);
                assertThat(backsUp(file)).as("after %s", disk.tried()).isTrue();
                assertThat(names(folder)).as("after %s", disk.tried()).containsExactly("a.backup");
            }
            change++;
        }
        assertThat(change).as("changes that were tried").isGreaterThan(8);
    }

    @Test
    void oneFaultOfTheDiskAnywhereIsARefusalThatLeavesNothingInTheWay() throws IOException {
        int change = 0;
        boolean more = true;
        while (more) {
            assertThat(change).isLessThan(MAX_CHANGES);
            Path folder = Files.createDirectories(temp.resolve("faulty-" + change));
            Path file = folder.resolve("a.backup");
            FaultyDisk disk = new FaultyDisk().failing(change, true, "Input/output error");
            boolean written = backsUp(disk.at(file));
            more = disk.tried().size() > change;
            if (written || Files.exists(file)) {
                restores(file);
            } else {
                assertThat(backsUp(file)).isTrue();
                assertThat(names(folder)).containsExactly("a.backup");
            }
            change++;
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
