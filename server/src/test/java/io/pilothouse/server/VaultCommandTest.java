package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.Store;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VaultCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private int keys(Map<String, String> environment, String... arguments) {
        return new VaultCommand(
                        environment,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(List.of(arguments));
    }

    private int rotate() {
        return keys(Map.of(), "rotate", "--data", folder.toString());
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void itExplainsItself() {
        assertThat(keys(Map.of(), "--help")).isEqualTo(Main.FINE);
        assertThat(keys(Map.of(), "rotate", "-h")).isEqualTo(Main.FINE);
        assertThat(out()).contains("./pilothouse keys rotate", "--data DIR").doesNotContain("--listen");
    }

    @Test
    void unknownCommandsAndOptionsAreMisuses() {
        assertThat(keys(Map.of())).isEqualTo(Main.MISUSED);
        assertThat(keys(Map.of(), "show")).isEqualTo(Main.MISUSED);
        assertThat(keys(Map.of(), "rotate", "--fly")).isEqualTo(Main.MISUSED);
        assertThat(err().lines())
                .containsExactly(
                        "What shall be done with the keys: ./pilothouse keys rotate?",
                        "What shall be done with the keys: ./pilothouse keys rotate?",
                        "--fly is no option of keys.");
    }

    @Test
    void aBadValueIsARefusal() {
        assertThat(keys(Map.of("PILOTHOUSE_DATA", "a\u0000b"), "rotate")).isEqualTo(Main.REFUSED);
        assertThat(err()).startsWith("PILOTHOUSE_DATA ");
    }

    @Test
    void itRotatesAndSaysHowMuch() throws IOException {
        assertThat(rotate()).isEqualTo(Main.FINE);
        String first = Files.readString(folder.resolve("vault.key"));
        assertThat(rotate()).isEqualTo(Main.FINE);
        assertThat(folder.resolve("vault.key")).content().isNotEqualTo(first);
        assertThat(out()).startsWith("0 things with credentials are sealed under a new key. Back up " + folder);
        assertThat(err()).isEmpty();
    }

    @Test
    void aStoreInUseIsOneSentence() {
        try (Store taken = SqliteStore.open(
                folder, Thread.ofPlatform().daemon().name("store-writer").factory(), StoreMetrics.NONE)) {
            assertThat(taken.reachable()).isTrue();
            assertThat(rotate()).isEqualTo(Main.REFUSED);
        }
        assertThat(err()).isEqualTo("The data folder " + folder + " is in use by another process.\n");
    }

    @Test
    void lostKeysAreOneSentence() throws IOException {
        rotate();
        Files.delete(folder.resolve("vault.key"));
        assertThat(rotate()).isEqualTo(Main.REFUSED);
        assertThat(err()).contains("vault.key is missing").endsWith("put it back from a backup.\n");
    }
}
