package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk that is full, a commit that fails, figures that cannot be taken: callers learn of it, and the store goes on.
 */
class SqliteFaultsTest {
    @TempDir
    private Path folder;

    private final AtomicReference<StoreMetrics> reported = new AtomicReference<>(StoreMetrics.NONE);
    private final Figures figures = new Figures();
    private SqliteStore store;

    @BeforeEach
    void openTheStore() {
        StoreMetrics metrics = new StoreMetrics() {
            @Override
            public void waiting(int writes) {
                figures.waiting(writes);
            }

            @Override
            public void committed(int writes, Duration took) {
                reported.get().committed(writes, took);
            }

            @Override
            public void failed(int writes) {
                figures.failed(writes);
            }
        };
        store = SqliteStore.open(
                folder,
                Threads.PLATFORM,
                metrics,
                new Limits(100, Duration.ofMinutes(1), 100, Duration.ofMinutes(1), 2, 24));
    }

    @AfterEach
    void closeTheStore() {
        store.close();
    }

    /** From here on the writer's file may not grow: what needs a new page finds the disk full. */
    private static void fillTheDisk(Tables tables) {
        Transaction inside = (Transaction) tables;
        long pages = inside.number("PRAGMA page_count");
        inside.number("PRAGMA max_page_count = " + pages);
    }

    private static Organization big() {
        return Samples.named("x".repeat(100_000));
    }

    @Test
    void fullDiskIsUnavailableAndNothingIsKept() {
        Organization small = Samples.row();
        assertThatExceptionOfType(StoreUnavailable.class)
                .isThrownBy(() -> store.write(tables -> {
                    fillTheDisk(tables);
                    tables.of(Organization.KIND).insert(small);
                    return tables.of(Organization.KIND).insert(big());
                }))
                .withMessageContaining("full");
        assertThat(Samples.isThere(store, small)).isFalse();
    }

    @Test
    void storeGoesOnOnceThereIsRoomAgain() {
        assertThatExceptionOfType(StoreUnavailable.class)
                .isThrownBy(() -> store.write(tables -> {
                    fillTheDisk(tables);
                    return tables.of(Organization.KIND).insert(big());
                }));
        store.<Long>write(tables -> ((Transaction) tables).number("PRAGMA max_page_count = 1073741823"));
        Organization row = Samples.insert(store, big());
        assertThat(Samples.isThere(store, row)).isTrue();
    }

    @Test
    void storeThatCannotBeWrittenToSaysSoUntilItCan() throws SQLException {
        Organization kept = Samples.insert(store, Samples.row());
        assertThat(store.writeFault()).isEmpty();
        // Another program that holds the file stands for every reason why a write is not kept.
        try (Sql other = new SqliteFile(folder.resolve(SqliteStore.FILE)).openForWriting()) {
            other.change("BEGIN IMMEDIATE");
            assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> Samples.insert(store, Samples.row()));
            assertThat(store.forTheEngine().writeFault().orElseThrow()).contains("locked");
            assertThat(store.reachable()).as("reads go on").isTrue();
            assertThat(Samples.isThere(store, kept)).isTrue();
            assertThat(figures.failed()).isPositive();
            other.change("ROLLBACK");
        }
        assertThat(store.writeFault()).as("without anybody's write").isEmpty();
        assertThat(Samples.isThere(store, Samples.insert(store, Samples.row()))).isTrue();
    }

    @Test
    void logThatIsTornAnywhereHasEachWriteWholeOrNotAtAll() throws IOException {
        Path log = folder.resolve(SqliteStore.FILE + "-wal");
        Path other = Files.createDirectory(folder.resolve("other"));
        List<Organization> rows = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            rows.add(Samples.insert(store, Samples.named("x".repeat(1_000 * i))));
            ends.add(Files.size(log));
        }
        for (int cut = 0; cut < rows.size(); cut++) {
            for (long missing : new long[] {0, 1, 2_000}) {
                Files.copy(
                        folder.resolve(SqliteStore.FILE),
                        other.resolve(SqliteStore.FILE),
                        StandardCopyOption.REPLACE_EXISTING);
                byte[] torn = Arrays.copyOf(Files.readAllBytes(log), (int) (ends.get(cut) - missing));
                Files.write(other.resolve(SqliteStore.FILE + "-wal"), torn);
                try (SqliteStore after = SqliteStore.open(other, Threads.PLATFORM, StoreMetrics.NONE)) {
                    for (int i = 0; i < rows.size(); i++) {
                        boolean whole = missing == 0 ? i <= cut : i < cut;
                        assertThat(Samples.isThere(after, rows.get(i)))
                                .as("row %s of a log that ends %s bytes before the end of row %s", i, missing, cut)
                                .isEqualTo(whole);
                    }
                }
            }
        }
    }

    @Test
    void neighboursOfAFullDiskLearnTheirOutcome() throws InterruptedException {
        List<Organization> rows = new ArrayList<>();
        Crowd<Boolean> crowd = new Crowd<>();
        try (Held held = Held.write(store)) {
            for (int i = 0; i < 20; i++) {
                Organization row = i == 10 ? big() : Samples.row();
                boolean full = i == 9;
                rows.add(row);
                crowd.add(() -> isKept(row, full));
                figures.awaitWaiting(i + 1);
            }
            assertThatExceptionOfType(StoreUnavailable.class)
                    .isThrownBy(held::letGo)
                    .withMessageContaining("full");
        }
        List<Boolean> kept = crowd.results();
        for (int i = 0; i < rows.size(); i++) {
            assertThat(Samples.isThere(store, rows.get(i))).isEqualTo(kept.get(i));
        }
        assertThat(kept.get(10)).isFalse();
    }

    private boolean isKept(Organization row, boolean fillsTheDisk) {
        try {
            store.write(tables -> {
                if (fillsTheDisk) {
                    fillTheDisk(tables);
                }
                return tables.of(Organization.KIND).insert(row);
            });
            return true;
        } catch (StoreUnavailable e) {
            return false;
        }
    }

    @Test
    void groupWhoseTransactionEndedEarlyFailsAsAWholeAndTheNextOneWorks() throws InterruptedException {
        Organization first = Samples.row();
        Organization last = Samples.row();
        Crowd<Boolean> crowd = new Crowd<>();
        try (Held held = Held.write(store)) {
            // The write that holds the writer may itself have been seen waiting: one more makes the count certain.
            crowd.add(() -> isKept(Samples.row(), false));
            crowd.add(() -> isKept(first, false));
            figures.awaitWaiting(2);
            crowd.add(() -> {
                store.<Integer>write(tables -> ((Transaction) tables).change("ROLLBACK"));
                return true;
            });
            figures.awaitWaiting(3);
            crowd.add(() -> isKept(last, false));
            figures.awaitWaiting(4);
            assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(held::letGo);
        }
        assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(crowd::results);
        assertThat(Samples.isThere(store, first)).isFalse();
        assertThat(Samples.isThere(store, Samples.insert(store, Samples.row()))).isTrue();
    }

    @Test
    void figuresThatCannotBeTakenCostNoWrite() {
        reported.set(new StoreMetrics() {
            @Override
            public void waiting(int writes) {}

            @Override
            public void committed(int writes, Duration took) {
                throw new IllegalStateException("no figures today");
            }
        });
        for (int i = 0; i < 5; i++) {
            assertThat(Samples.isThere(store, Samples.insert(store, Samples.row())))
                    .isTrue();
        }
    }
}
