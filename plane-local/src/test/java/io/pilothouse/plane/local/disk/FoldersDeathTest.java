package io.pilothouse.plane.local.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.disk.FaultyDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The small files of services and backups, on a disk that fails at each change to it. */
class FoldersDeathTest {
    private static final int MAX_CHANGES = 50;

    @TempDir
    private Path folder;

    private static boolean replaces(Path file, String text) {
        try {
            Folders.replace(file, text, "rw-------");
            return true;
        } catch (IOException fault) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void textIsTheOldOneOrTheNewOneWhereverTheProcessDiesOrAWriteIsTorn(boolean torn) throws IOException {
        Path file = folder.resolve("process");
        int change = 0;
        boolean written = false;
        while (!written) {
            assertThat(change).isLessThan(MAX_CHANGES);
            assertThat(replaces(file, "old")).isTrue();
            FaultyDisk disk = new FaultyDisk().dead(change, torn);
            written = replaces(disk.at(file), "a longer new text");
            assertThat(Files.readString(file))
                    .as("after %s", disk.tried())
                    .isIn(written ? "" : "old", "a longer new text");
            change++;
        }
        assertThat(change).as("changes that were tried").isGreaterThan(3);
    }
}
