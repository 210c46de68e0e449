package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store and the data of its services belong together. */
class StorePairTest {
    private static final Optional<String> EMPTY = Optional.empty();
    private static final Optional<String> OURS = Optional.of("ours");
    private static final Optional<String> OTHER = Optional.of("other");

    @TempDir
    private Path folder;

    private StorePair pair;

    @BeforeEach
    void folderOfServices() {
        pair = new StorePair(folder.resolve("services"));
    }

    private void service() throws IOException {
        Files.createDirectories(
                folder.resolve("services").resolve(UUID.randomUUID().toString()));
    }

    @Test
    void aFirstStartAndEveryFurtherOneAreLetThrough() throws IOException, StartRefused {
        pair.require(EMPTY, false);
        pair.require(OURS, false);
        service();
        assertThatCode(() -> pair.require(OURS, false)).doesNotThrowAnyException();
    }

    @Test
    void anEmptyStoreIsRefusedBesideData() throws IOException {
        service();
        service();
        assertThatThrownBy(() -> pair.require(EMPTY, false))
                .isInstanceOf(StartRefused.class)
                .hasMessageStartingWith("The store is empty, and " + folder.resolve("services")
                        + " has the data of 2 services: put back the store")
                .hasMessageContaining("--new-store");
    }

    @Test
    void anotherStoreIsRefusedUntilSomebodyInsistsAndIsThenTheOwner() throws IOException, StartRefused {
        pair.require(OURS, false);
        service();
        assertThatThrownBy(() -> pair.require(OTHER, false))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("has the data of another store's services");
        pair.require(OTHER, true);
        assertThatCode(() -> pair.require(OTHER, false)).doesNotThrowAnyException();
        assertThatThrownBy(() -> pair.require(OURS, false)).isInstanceOf(StartRefused.class);
    }

    @Test
    void dataFromBeforeThereWereMarksIsTakenOver() throws IOException, StartRefused {
        service();
        pair.require(OURS, false);
        assertThatThrownBy(() -> pair.require(OTHER, false)).isInstanceOf(StartRefused.class);
    }

    @Test
    void anyStoreMayBeginWithAnEmptyFolder() throws IOException, StartRefused {
        pair.require(OURS, false);
        pair.require(OTHER, false);
        service();
        assertThatCode(() -> pair.require(OTHER, false)).doesNotThrowAnyException();
    }
}
