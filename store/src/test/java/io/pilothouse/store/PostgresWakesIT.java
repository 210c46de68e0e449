package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks.Kind;
import io.pilothouse.core.port.Tasks.Urgency;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Processes on one PostgreSQL that wake each other. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresWakesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** What a process waits between two notifications. */
    private static final long BETWEEN_MILLIS = 20;

    private final Postgres postgres;

    @TempDir
    private Path folder;

    PostgresWakesIT() throws IOException {
        postgres = new Postgres();
    }

    @AfterAll
    void stopTheServer() throws IOException {
        postgres.close();
    }

    /** A process, and how often it was woken. */
    private record Woken(PostgresStore store, AtomicInteger times) implements AutoCloseable {
        /** It has begun to listen, and looks at everything. */
        static Woken listening(PostgresStore store) throws InterruptedException {
            AtomicInteger times = new AtomicInteger();
            store.share(times::incrementAndGet, Thread.ofPlatform().daemon().factory());
            Woken woken = new Woken(store, times);
            woken.awaitMoreThan(0);
            return woken;
        }

        void awaitMoreThan(int before) throws InterruptedException {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (times.get() <= before) {
                assertThat(System.nanoTime()).as("woken %s times", times).isLessThan(end);
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }

        @Override
        public void close() {
            store.close();
        }
    }

    private Woken listening(String name, String url) throws InterruptedException {
        PostgresStore store = PostgresStore.openShared(
                folder.resolve(name), url, "postgres", "", Threads.PLATFORM, StoreMetrics.NONE);
        store.started();
        return Woken.listening(store);
    }

    private static void leaveWork(Store store) {
        store.change(tables -> tables.tasks().wake(Kind.SERVICE, UUID.randomUUID(), Urgency.NEW, Instant.EPOCH));
    }

    @Test
    void workThatOneLeavesWakesTheOthersAndNotItself() throws SQLException, InterruptedException {
        String url = postgres.emptySchema();
        try (Woken one = listening("one", url);
                Woken two = listening("two", url);
                Woken three = listening("three", url)) {
            leaveWork(one.store());
            two.awaitMoreThan(1);
            three.awaitMoreThan(1);
            leaveWork(two.store());
            one.awaitMoreThan(1);
            three.awaitMoreThan(2);
            assertThat(one.times()).hasValue(2);
            assertThat(two.times()).hasValue(2);
        }
    }

    @Test
    void whatIsNoWorkWakesNobody() throws SQLException, InterruptedException {
        String url = postgres.emptySchema();
        try (Woken one = listening("quiet", url);
                Woken two = listening("listener", url)) {
            Samples.insert(one.store(), Samples.named("a"));
            leaveWork(one.store());
            two.awaitMoreThan(1);
            assertThat(two.times()).hasValue(2);
        }
    }

    @Test
    void storeInAnotherSchemaIsAnother() throws SQLException, InterruptedException {
        String url = postgres.emptySchema();
        try (Woken stranger = listening("stranger", postgres.emptySchema());
                Woken one = listening("here", url);
                Woken two = listening("there", url)) {
            leaveWork(stranger.store());
            leaveWork(one.store());
            two.awaitMoreThan(1);
            assertThat(one.times()).hasValue(1);
        }
    }

    @Test
    void muchWorkIsFewNotifications() throws SQLException, InterruptedException {
        String url = postgres.emptySchema();
        int writers = 32;
        int each = 20;
        try (Woken one = listening("busy", url);
                Woken two = listening("idle", url)) {
            long began = System.nanoTime();
            Crowd<Boolean> crowd = new Crowd<Boolean>().add(writers, () -> {
                for (int work = 0; work < each; work++) {
                    leaveWork(one.store());
                }
                return true;
            });
            assertThat(crowd.results()).hasSize(writers);
            long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
            System.out.printf(
                    "PostgresWakesIT: %d writes in %d ms woke another %d times%n",
                    writers * each, millis, two.times().get() - 1);
            assertThat(two.times().get()).isLessThanOrEqualTo((int) (millis / BETWEEN_MILLIS) + 3);
            two.awaitMoreThan(1);
        }
    }

    @Test
    void listenerThatWasCutOffLooksAtEverythingOnceItIsBack() throws SQLException, InterruptedException {
        String url = postgres.emptySchema();
        try (Woken one = listening("stays", url);
                Woken two = listening("cut off", url)) {
            postgres.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");
            one.awaitMoreThan(1);
            two.awaitMoreThan(1);
            leaveWork(one.store());
            two.awaitMoreThan(2);
        }
    }

    @Test
    void processThatEndsWakesTheOthers() throws SQLException, InterruptedException {
        String url = postgres.emptySchema();
        try (Woken stays = listening("stays on", url)) {
            listening("ends", url).close();
            stays.awaitMoreThan(1);
        }
    }
}
