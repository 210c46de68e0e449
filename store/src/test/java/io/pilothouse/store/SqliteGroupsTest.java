package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQLite's one writer: groups, their ends, and what becomes of callers that wait. */
class SqliteGroupsTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private final Figures figures = new Figures();
    private final AtomicReference<SqliteStore> opened = new AtomicReference<>();

    private SqliteStore open(Limits limits) {
        SqliteStore store = SqliteStore.open(folder, Threads.PLATFORM, figures, limits);
        opened.set(store);
        return store;
    }

    private SqliteStore open(int groupWrites, Duration groupTime) {
        return open(new Limits(1_000, LONG, groupWrites, groupTime, 4, 24));
    }

    @AfterEach
    void closeTheStore() {
        opened.get().close();
    }

    private Crowd<Organization> queued(SqliteStore store, int writes) throws InterruptedException {
        Crowd<Organization> crowd = new Crowd<Organization>().add(writes, () -> Samples.insert(store, Samples.row()));
        figures.awaitWaiting(writes);
        return crowd;
    }

    private static String failureOf(SqliteStore store, Function<Tables, Organization> work) {
        return String.valueOf(catchThrowable(() -> store.write(work)).getMessage());
    }

    @Test
    void writesThatWaitShareOneCommit() throws InterruptedException {
        SqliteStore store = open(1_000, LONG);
        try (Held held = Held.write(store)) {
            Crowd<Organization> crowd = queued(store, 100);
            held.letGo();
            assertThat(crowd.results()).allMatch(row -> Samples.isThere(store, row));
        }
        assertThat(figures.groupsOf(101)).containsExactly(101);
    }

    @Test
    void groupEndsAtItsSize() throws InterruptedException {
        SqliteStore store = open(10, LONG);
        try (Held held = Held.write(store)) {
            Crowd<Organization> crowd = queued(store, 25);
            held.letGo();
            assertThat(crowd.results()).hasSize(25);
        }
        assertThat(figures.groupsOf(26)).containsExactly(10, 10, 6);
    }

    @Test
    void groupEndsAfterItsTime() throws InterruptedException {
        SqliteStore store = open(1_000, Duration.ZERO);
        try (Held held = Held.write(store)) {
            Crowd<Organization> crowd = queued(store, 3);
            held.letGo();
            assertThat(crowd.results()).hasSize(3);
        }
        assertThat(figures.groupsOf(4)).containsExactly(1, 1, 1, 1);
    }

    @Test
    void nobodyIsAnsweredBeforeTheCommit() throws InterruptedException {
        SqliteStore store = open(1_000, LONG);
        Crowd<Organization> early;
        try (Held first = Held.write(store)) {
            early = queued(store, 5);
            Crowd<String> last = new Crowd<String>().add(() -> {
                try (Held held = Held.write(store)) {
                    assertThat(early.anyIsDone()).isFalse();
                    assertThat(first.isDone()).isFalse();
                    return held.letGo();
                }
            });
            figures.awaitWaiting(6);
            first.letGo();
            assertThat(last.result()).isEqualTo("let go");
        }
        assertThat(early.results()).hasSize(5);
        assertThat(figures.groupsOf(7)).containsExactly(7);
    }

    @Test
    void groupInWhichEverythingFailedIsNoCommit() throws InterruptedException {
        SqliteStore store = open(1_000, LONG);
        assertThatIllegalStateException()
                .isThrownBy(() -> store.write(tables -> {
                    throw new IllegalStateException("no");
                }));
        Samples.insert(store, Samples.row());
        assertThat(figures.groupsOf(1)).containsExactly(1);
    }

    @Test
    void writeThatFailsHalfWayIsUndoneAndTheOthersOfItsGroupAreKept() throws InterruptedException {
        SqliteStore store = open(1_000, LONG);
        Organization halfDone = Samples.row();
        AtomicInteger nudges = new AtomicInteger();
        AtomicInteger failures = new AtomicInteger();
        List<UUID> drawn = new CopyOnWriteArrayList<>();
        try (Held held = Held.write(store)) {
            Crowd<Organization> before = new Crowd<Organization>()
                    .add(
                            3,
                            () -> store.write(tables -> {
                                tables.afterCommit(nudges::incrementAndGet);
                                drawn.add(tables.newId(Instant.EPOCH));
                                return tables.of(Organization.KIND).insert(Samples.row());
                            }));
            figures.awaitWaiting(3);
            Crowd<String> failing = new Crowd<String>()
                    .add(() -> failureOf(store, tables -> {
                        tables.of(Organization.KIND).insert(halfDone);
                        tables.afterCommit(nudges::incrementAndGet);
                        failures.incrementAndGet();
                        throw new IllegalStateException("half way");
                    }));
            figures.awaitWaiting(4);
            Crowd<Organization> after = new Crowd<Organization>().add(3, () -> Samples.insert(store, Samples.row()));
            figures.awaitWaiting(7);
            held.letGo();
            assertThat(before.results()).hasSize(3).allMatch(row -> Samples.isThere(store, row));
            assertThat(after.results()).hasSize(3).allMatch(row -> Samples.isThere(store, row));
            assertThat(failing.result()).isEqualTo("half way");
        }
        assertThat(Samples.isThere(store, halfDone)).isFalse();
        assertThat(nudges).hasValue(3);
        assertThat(failures).hasValue(1);
        // Run again, work makes the same ids.
        assertThat(drawn).hasSize(6);
        assertThat(Set.copyOf(drawn)).hasSize(3);
        // The group ends with it, and is written without it.
        assertThat(figures.groupsOf(7)).containsExactly(4, 3);
    }

    @Test
    void writeThatIsRefusedBeforeItChangesAnythingRestartsNoOtherWrite() throws InterruptedException {
        SqliteStore store = open(1_000, LONG);
        AtomicInteger runs = new AtomicInteger();
        try (Held held = Held.write(store)) {
            Crowd<Organization> crowd = new Crowd<Organization>()
                    .add(
                            3,
                            () -> store.write(tables -> {
                                runs.incrementAndGet();
                                return tables.of(Organization.KIND).insert(Samples.row());
                            }));
            figures.awaitWaiting(3);
            Crowd<String> refused = new Crowd<String>()
                    .add(() -> failureOf(store, tables -> {
                        tables.of(Organization.KIND).count(UUID.randomUUID());
                        throw new IllegalStateException("refused");
                    }));
            figures.awaitWaiting(4);
            held.letGo();
            assertThat(crowd.results()).hasSize(3).allMatch(row -> Samples.isThere(store, row));
            assertThat(refused.result()).isEqualTo("refused");
        }
        assertThat(runs).hasValue(3);
    }

    @Test
    void fullQueueRefusesAtOnce() throws InterruptedException {
        SqliteStore store = open(new Limits(3, LONG, 100, LONG, 4, 24));
        try (Held held = Held.write(store)) {
            Crowd<Organization> crowd = queued(store, 3);
            assertThatExceptionOfType(StoreUnavailable.class)
                    .isThrownBy(() -> Samples.insert(store, Samples.row()))
                    .withMessageContaining("busy");
            held.letGo();
            assertThat(crowd.results()).hasSize(3);
        }
    }

    @Test
    void callerWhosePatienceEndsIsRefusedAndNothingIsWritten() {
        SqliteStore store = open(new Limits(100, Duration.ofSeconds(2), 100, LONG, 4, 24));
        Organization row = Samples.row();
        try (Held held = Held.write(store)) {
            assertThatExceptionOfType(StoreUnavailable.class)
                    .isThrownBy(() -> Samples.insert(store, row))
                    .withMessageContaining("busy");
            // Its own patience ended long ago; but it was taken, so it learns how it ended.
            assertThat(held.letGo()).isEqualTo("let go");
        }
        Samples.insert(store, Samples.row());
        assertThat(Samples.isThere(store, row)).isFalse();
    }

    @Test
    void callerInterruptedInTheQueueIsRefusedAndNothingIsWritten() throws InterruptedException {
        SqliteStore store = open(100, LONG);
        Organization row = Samples.row();
        try (Held held = Held.write(store)) {
            Crowd<Boolean> crowd = new Crowd<Boolean>().add(() -> {
                assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> Samples.insert(store, row));
                return Thread.currentThread().isInterrupted();
            });
            figures.awaitWaiting(1);
            crowd.threads().getFirst().interrupt();
            assertThat(crowd.result()).isTrue();
            held.letGo();
        }
        Samples.insert(store, Samples.row());
        assertThat(Samples.isThere(store, row)).isFalse();
    }

    @Test
    void callerInterruptedInTheMiddleLearnsTheOutcome() {
        SqliteStore store = open(100, LONG);
        try (Held held = Held.write(store)) {
            held.caller().interrupt();
            assertThat(held.letGo()).isEqualTo("let go");
        }
    }

    @Test
    void workThatInterruptsTheWriterHurtsNoOtherWrite() throws InterruptedException {
        SqliteStore store = open(100, LONG);
        try (Held held = Held.write(store)) {
            Crowd<Boolean> crowd = new Crowd<Boolean>()
                    .add(
                            10,
                            () -> store.<Boolean>write(tables -> {
                                boolean interrupted = Thread.currentThread().isInterrupted();
                                Thread.currentThread().interrupt();
                                return interrupted;
                            }));
            figures.awaitWaiting(10);
            held.letGo();
            assertThat(crowd.results()).hasSize(10).doesNotContain(true);
        }
        assertThat(Samples.isThere(store, Samples.insert(store, Samples.row()))).isTrue();
    }

    @Test
    void threadsThatAreInterruptedFromOutsideGoOn() throws InterruptedException {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        SqliteStore store = SqliteStore.open(
                folder,
                run -> {
                    Thread thread = Threads.PLATFORM.newThread(run);
                    threads.add(thread);
                    return thread;
                },
                figures,
                new Limits(100, Duration.ofSeconds(2), 100, LONG, 4, 24));
        opened.set(store);
        for (int i = 0; i < 5; i++) {
            threads.forEach(Thread::interrupt);
            assertThat(Samples.isThere(store, Samples.insert(store, Samples.row())))
                    .isTrue();
        }
        try (Held held = Held.write(store)) {
            Crowd<Boolean> crowd = new Crowd<Boolean>().add(() -> {
                assertThatExceptionOfType(StoreUnavailable.class)
                        .isThrownBy(() -> Samples.insert(store, Samples.row()))
                        .withMessageContaining("busy");
                return true;
            });
            assertThat(crowd.result()).isTrue();
            held.letGo();
        }
        assertThat(threads).hasSize(2).allMatch(Thread::isAlive);
    }

    @Test
    void writesThatWaitAtTheEndAreWritten() throws InterruptedException {
        SqliteStore store = open(100, LONG);
        Crowd<Organization> crowd;
        Crowd<Boolean> closing;
        try (Held held = Held.write(store)) {
            crowd = queued(store, 20);
            closing = new Crowd<Boolean>().add(() -> {
                store.close();
                return true;
            });
            held.letGo();
        }
        List<Organization> rows = crowd.results();
        assertThat(closing.result()).isTrue();
        try (SqliteStore again = open(Limits.standard())) {
            assertThat(rows).hasSize(20).allMatch(row -> Samples.isThere(again, row));
        }
    }

    @Test
    void workCannotCloseItsStore() {
        SqliteStore store = open(100, LONG);
        assertThatIllegalStateException()
                .isThrownBy(() -> store.write(tables -> {
                    store.close();
                    return true;
                }));
        assertThat(Samples.isThere(store, Samples.insert(store, Samples.row()))).isTrue();
    }

    @Test
    void closedStoreLeavesOneFile() {
        SqliteStore store = open(100, LONG);
        Samples.insert(store, Samples.row());
        assertThat(folder.resolve("pilothouse.db-wal")).exists();
        store.close();
        assertThat(folder).isDirectoryNotContaining("glob:**-wal").isDirectoryNotContaining("glob:**-shm");
    }
}
