package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQLite's readers: beside the writer, never behind it, and never in a carrier's way. */
class SqliteReadsTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int MORE_THAN_CARRIERS = 300;

    @TempDir
    private Path folder;

    private final Figures figures = new Figures();
    private final AtomicReference<SqliteStore> opened = new AtomicReference<>();

    private SqliteStore open(int readConnections, Duration patience) {
        SqliteStore store = SqliteStore.open(
                folder, Threads.PLATFORM, figures, new Limits(1_000, patience, 1_000, LONG, readConnections, 24));
        opened.set(store);
        return store;
    }

    @AfterEach
    void closeTheStore() {
        opened.get().close();
    }

    private static void anUnrelatedVirtualThreadRuns() {
        CountDownLatch ran = new CountDownLatch(1);
        Thread.startVirtualThread(ran::countDown);
        Held.await(ran);
    }

    @Test
    void readDoesNotWaitForTheWriter() {
        SqliteStore store = open(4, LONG);
        Organization row = Samples.insert(store, Samples.row());
        try (Held held = Held.write(store)) {
            assertThat(Samples.isThere(store, row)).isTrue();
            assertThat(held.isDone()).isFalse();
        }
    }

    @Test
    void readDoesNotSeeWhatIsNotCommitted() throws InterruptedException {
        SqliteStore store = open(4, LONG);
        Organization row = Samples.row();
        Crowd<Organization> writer;
        try (Held held = Held.write(store)) {
            writer = new Crowd<Organization>().add(() -> Samples.insert(store, row));
            figures.awaitWaiting(1);
            assertThat(Samples.isThere(store, row)).isFalse();
            held.letGo();
        }
        writer.result();
        assertThat(Samples.isThere(store, row)).isTrue();
    }

    @Test
    void manyWaitingWritersHoldUpNoOtherVirtualThread() throws InterruptedException {
        SqliteStore store = open(4, LONG);
        try (Held held = Held.write(store)) {
            Crowd<Organization> writers =
                    new Crowd<Organization>().add(MORE_THAN_CARRIERS, () -> Samples.insert(store, Samples.row()));
            figures.awaitWaiting(MORE_THAN_CARRIERS);
            anUnrelatedVirtualThreadRuns();
            assertThat(writers.anyIsDone()).isFalse();
            held.letGo();
            assertThat(writers.results()).hasSize(MORE_THAN_CARRIERS);
        }
    }

    @Test
    void manyWaitingReadersHoldUpNoOtherVirtualThread() {
        SqliteStore store = open(1, LONG);
        Organization row = Samples.insert(store, Samples.row());
        CountDownLatch begun = new CountDownLatch(MORE_THAN_CARRIERS);
        try (Held held = Held.read(store)) {
            Crowd<Boolean> readers = new Crowd<Boolean>().add(MORE_THAN_CARRIERS, () -> {
                begun.countDown();
                return Samples.isThere(store, row);
            });
            Held.await(begun);
            anUnrelatedVirtualThreadRuns();
            assertThat(readers.anyIsDone()).isFalse();
            held.letGo();
            assertThat(readers.results()).hasSize(MORE_THAN_CARRIERS).doesNotContain(false);
        }
    }

    @Test
    void readThatFindsNoConnectionInTimeIsRefused() {
        SqliteStore store = open(1, Duration.ofMillis(50));
        try (Held held = Held.read(store)) {
            assertThatExceptionOfType(StoreUnavailable.class)
                    .isThrownBy(() -> Samples.isThere(store, Samples.row()))
                    .withMessageContaining("busy");
            assertThat(store.reachable()).isFalse();
            held.letGo();
        }
        assertThat(store.reachable()).isTrue();
    }

    @Test
    void readInterruptedBeforeItBeginsIsRefused() {
        SqliteStore store = open(1, LONG);
        Thread.currentThread().interrupt();
        try {
            assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> Samples.isThere(store, Samples.row()));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void connectionsThatReadCannotWriteEvenByMistake() {
        SqliteStore store = open(1, LONG);
        Organization row = Samples.insert(store, Samples.row());
        String trick = "DELETE FROM organizations RETURNING id";
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> store.read(tables -> inside(tables).list(trick, gone -> gone.getString(1))))
                .withMessageContaining("READONLY");
        assertThat(Samples.isThere(store, row)).isTrue();
    }

    @Test
    void writerSyncsEveryCommitOfAWriteAheadLog() {
        SqliteStore store = open(1, LONG);
        int full = 2;
        assertThat(store.<String>write(tables -> setting(tables, "PRAGMA journal_mode")))
                .isEqualTo("wal");
        assertThat(store.<String>write(tables -> setting(tables, "PRAGMA synchronous")))
                .isEqualTo("" + full);
    }

    private static Transaction inside(Tables tables) {
        return (Transaction) tables;
    }

    private static String setting(Tables tables, String pragma) {
        return inside(tables).first(pragma, row -> row.getString(1)).orElseThrow();
    }

    @Test
    void closingWaitsForReadsThatRunAndRefusesThoseThatWait() {
        SqliteStore store = open(1, LONG);
        CountDownLatch begun = new CountDownLatch(1);
        try (Held held = Held.read(store)) {
            Crowd<Boolean> closing = new Crowd<Boolean>().add(() -> {
                begun.countDown();
                store.close();
                return true;
            });
            Held.await(begun);
            assertThat(closing.anyIsDone()).isFalse();
            assertThat(held.letGo()).isEqualTo("let go");
            assertThat(closing.result()).isTrue();
        }
        assertThatExceptionOfType(StoreUnavailable.class)
                .isThrownBy(() -> Samples.isThere(store, Samples.row()))
                .withMessageContaining("closed");
    }

    @Test
    void readThatOutlivesTheStoreFindsItsTablesToTheEnd() {
        SqliteStore store = open(1, Duration.ofSeconds(2));
        Organization row = Samples.insert(store, Samples.row());
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Crowd<Boolean> reader = new Crowd<Boolean>()
                .add(() -> store.read(tables -> {
                    assertThat(tables.of(Organization.KIND).count(row.id())).isOne();
                    begun.countDown();
                    Held.await(closed);
                    return tables.of(Organization.KIND).find(row.id()).isPresent();
                }));
        Held.await(begun);
        store.close();
        closed.countDown();
        assertThat(reader.result()).isTrue();
    }
}
