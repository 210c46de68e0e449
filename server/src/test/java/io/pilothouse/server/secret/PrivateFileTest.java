package io.pilothouse.server.secret;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.disk.FaultyDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys and marks beside the store, on a disk that fails at each change to it. */
class PrivateFileTest {
    private static final int MAX_CHANGES = 50;

    @TempDir
    private Path folder;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static boolean writes(Path file, String text) {
        try {
            PrivateFile.write(file, bytes(text));
            return true;
        } catch (IOException fault) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keyIsTheOldOneOrTheNewOneWhereverTheProcessDiesOrAWriteIsTorn(boolean torn) throws IOException {
        Path key = folder.resolve("secret.key");
        int change = 0;
        boolean written = false;
        while (!written) {
            assertThat(change).isLessThan(MAX_CHANGES);
            PrivateFile.write(key, bytes("the old key"));
            FaultyDisk disk = new FaultyDisk().dead(change, torn);
            written = writes(disk.at(key), "the new key, which is longer");
            assertThat(Files.readString(key))
                    .as("after %s", disk.tried())
                    .isIn(written ? "" : "the old key", "the new key, which is longer");
            assertThat(writes(key, "the key after that"))
                    .as("what is left is in nobody's way")
                    .isTrue();
            change++;
        }
        assertThat(change).as("changes that were tried").isGreaterThan(3);
    }

    @Test
    void faultOfTheDiskIsSaidAndTheNextWriteWorks() throws IOException {
        Path key = folder.resolve("vault.key");
        PrivateFile.write(key, bytes("old"));
        int change = 0;
        boolean written = false;
        while (!written) {
            assertThat(change).isLessThan(MAX_CHANGES);
            FaultyDisk disk = new FaultyDisk().failing(change, true, "Input/output error");
            written = writes(disk.at(key), "new");
            assertThat(Files.readString(key)).as("after %s", disk.tried()).isIn(written ? "" : "old", "new");
            assertThat(writes(key, "old")).isTrue();
            change++;
        }
        assertThat(change).as("changes that were tried").isGreaterThan(3);
    }
}
