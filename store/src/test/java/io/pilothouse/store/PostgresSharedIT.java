package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Kind;
import io.pilothouse.core.port.Tasks.Urgency;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A store in PostgreSQL that several processes share. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresSharedIT {
    private static final int WRITERS = 64;
    private static final int CLAIMED_AT_ONCE = 64;
    private static final Instant NOW = Instant.EPOCH.plusSeconds(100);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Postgres postgres;

    @TempDir
    private Path folder;

    PostgresSharedIT() throws IOException, SQLException {
        postgres = new Postgres();
        postgres.execute("CREATE ROLE sharer SUPERUSER LOGIN");
    }

    @AfterAll
    void stopTheServer() throws IOException {
        postgres.close();
    }

    private PostgresStore starting(String name, String url) {
        return PostgresStore.openShared(folder.resolve(name), url, "postgres", "", Threads.PLATFORM, StoreMetrics.NONE);
    }

    private PostgresStore open(String name, String url) {
        PostgresStore store = starting(name, url);
        store.started();
        return store;
    }

    private Store openAlone(String name, String url) {
        return PostgresStore.openAlone(folder.resolve(name), url, "postgres", "", Threads.PLATFORM, StoreMetrics.NONE);
    }

    @Test
    void processesShareTheStoreAndOneThatWantsItForItselfIsRefused() throws SQLException {
        String url = postgres.emptySchema();
        try (Store one = open("one", url);
                Store two = open("two", url)) {
            Organization row = Samples.insert(one, Samples.named("a"));
            assertThat(Samples.isThere(two, row)).isTrue();
            assertThatExceptionOfType(StoreRefused.class)
                    .isThrownBy(() -> openAlone("alone", url))
                    .withMessageContaining("Another Pilothouse runs on this store");
            assertThat(Samples.isThere(two, row)).isTrue();
        }
        openAlone("alone", url).close();
    }

    @Test
    void processThatSharesIsRefusedBesideOneThatDoesNot() throws SQLException {
        String url = postgres.emptySchema();
        try (Store alone = openAlone("for itself", url)) {
            assertThatExceptionOfType(StoreRefused.class).isThrownBy(() -> open("guest", url));
            assertThat(alone.reachable()).isTrue();
        }
    }

    /** What had it to itself may have replaced the keys that one which was cut off still has in memory. */
    @Test
    void processThatWasCutOffStaysOutOnceAnotherHadTheStoreToItself() throws SQLException {
        String url = postgres.emptySchema();
        try (PostgresStore cutOff = PostgresStore.openShared(
                folder.resolve("cut off"), url, "sharer", "", Threads.PLATFORM, StoreMetrics.NONE)) {
            cutOff.started();
            Organization row = Samples.insert(cutOff, Samples.named("a"));
            openOnceSharersAreCutOff(url).close();
            try (Store next = open("next", url)) {
                postgres.execute("ALTER ROLE sharer LOGIN");
                Organization late = Samples.named("late");
                assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> Samples.insert(cutOff, late));
                assertThat(Samples.isThere(next, row)).isTrue();
                assertThat(Samples.isThere(next, late)).isFalse();
            }
            assertThat(cutOff.reachable()).isFalse();
        } finally {
            postgres.execute("ALTER ROLE sharer LOGIN");
        }
    }

    @Test
    void processThatWasCutOffGoesOnBesideOneThatSharesAndStartedMeanwhile() throws SQLException {
        String url = postgres.emptySchema();
        try (PostgresStore cutOff = PostgresStore.openShared(
                folder.resolve("back"), url, "sharer", "", Threads.PLATFORM, StoreMetrics.NONE)) {
            cutOff.started();
            cutSharersOff();
            try (Store next = open("meanwhile", url)) {
                Organization row = Samples.insert(next, Samples.named("a"));
                postgres.execute("ALTER ROLE sharer LOGIN");
                long end = System.nanoTime() + PATIENCE.toNanos();
                while (!cutOff.reachable()) {
                    assertThat(System.nanoTime())
                            .as("the time until it is back")
                            .isLessThan(end);
                }
                assertThat(Samples.isThere(cutOff, row)).isTrue();
            }
        } finally {
            postgres.execute("ALTER ROLE sharer LOGIN");
        }
    }

    private void cutSharersOff() throws SQLException {
        postgres.execute("ALTER ROLE sharer NOLOGIN");
        postgres.execute("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = 'sharer'");
    }

    /** A connection that was being made when the others were cut may have outlived that. */
    private Store openOnceSharersAreCutOff(String url) throws SQLException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            cutSharersOff();
            try {
                return openAlone("alone", url);
            } catch (StoreRefused e) {
                assertThat(System.nanoTime()).as(e.getMessage()).isLessThan(end);
            }
        }
    }

    @Test
    void startsFollowEachOther() throws SQLException {
        String url = postgres.emptySchema();
        AtomicBoolean over = new AtomicBoolean();
        try (PostgresStore first = starting("starts", url)) {
            Crowd<Boolean> second = new Crowd<Boolean>().add(() -> {
                try (Store store = open("waits", url)) {
                    return over.get() && store.reachable();
                }
            });
            assertThat(second.anyIsDone()).isFalse();
            over.set(true);
            first.started();
            assertThat(second.result()).as("whether it waited").isTrue();
        }
    }

    @Test
    void startThatFailedKeepsNobodyOut() throws SQLException {
        String url = postgres.emptySchema();
        starting("fails", url).close();
        open("succeeds", url).close();
    }

    @Test
    void olderFormIsRefusedWhileOthersWorkOnIt() throws SQLException {
        String url = postgres.emptySchema();
        String schema = url.substring(url.lastIndexOf('=') + 1);
        try (Store one = open("newer", url)) {
            postgres.execute("DELETE FROM " + schema + ".migrations WHERE version = (SELECT MAX(version) FROM " + schema
                    + ".migrations)");
            assertThatExceptionOfType(StoreRefused.class)
                    .isThrownBy(() -> open("older", url))
                    .withMessageContaining("older form");
            assertThat(one.reachable()).isTrue();
        }
    }

    @Test
    void timeOfTheServerIsTheSameForAll() throws SQLException {
        String url = postgres.emptySchema();
        try (PostgresStore one = open("clock one", url);
                PostgresStore two = open("clock two", url)) {
            var first = one.serverTime();
            var second = two.serverTime();
            Duration apart = Duration.between(first.time(), second.time())
                    .minusNanos(second.tick() - first.tick())
                    .abs();
            assertThat(apart).isLessThan(first.trip().plus(second.trip()).plusMillis(1));
        }
    }

    @Test
    void manyWritersOfOneRowLoseNoUpdate() throws SQLException {
        String url = postgres.emptySchema();
        try (Store one = open("writer one", url);
                Store two = open("writer two", url);
                Store three = open("writer three", url)) {
            List<Store> stores = List.of(one, two, three);
            Organization row = Samples.insert(one, Samples.named("0"));
            Crowd<Integer> crowd = new Crowd<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                Store store = stores.get(writer % stores.size());
                crowd.add(() -> {
                    int tries = 1;
                    while (!added(store, row)) {
                        tries++;
                    }
                    return tries;
                });
            }
            assertThat(crowd.results()).hasSize(WRITERS);
            Organization last = two.read(
                    tables -> tables.of(Organization.KIND).find(row.id()).orElseThrow());
            assertThat(last.name()).isEqualTo(Integer.toString(WRITERS));
            assertThat(last.version()).isEqualTo(WRITERS + 1L);
        }
    }

    /** As a request does: read, then write against the version that was read. */
    private static boolean added(Store store, Organization row) {
        Organization read =
                store.read(tables -> tables.of(Organization.KIND).find(row.id()).orElseThrow());
        String next = Integer.toString(Integer.parseInt(read.name()) + 1);
        return store.write(tables -> tables.of(Organization.KIND)
                .replace(Samples.named(read, next), read.version())
                .isPresent());
    }

    @Test
    void taskIsClaimedByOneProcessAndTheOneWhoseLeaseEndedReleasesNothing() throws SQLException {
        String url = postgres.emptySchema();
        try (Store one = open("slow", url);
                Store two = open("quick", url)) {
            UUID id = UUID.randomUUID();
            one.change(tables -> tables.tasks().wake(Kind.SERVICE, id, Urgency.NEW, NOW));
            Claim old = claim(one, "slow", NOW).getFirst();
            assertThat(claim(two, "quick", NOW)).isEmpty();
            Instant later = NOW.plusSeconds(9);
            Claim next = claim(two, "quick", later).getFirst();
            Tasks.Release release = new Tasks.Release(later.plusSeconds(60), Urgency.ROUTINE, 0, true);
            assertThat(one.<Boolean>write(tables -> tables.tasks().release(old, release, later)))
                    .isFalse();
            assertThat(one.<Boolean>writeTasks(tasks -> tasks.extend(old, later.plusSeconds(60))))
                    .isFalse();
            assertThat(two.<Boolean>write(tables -> tables.tasks().release(next, release, later)))
                    .isTrue();
        }
    }

    private static List<Claim> claim(Store store, String owner, Instant now) {
        return store.writeTasks(tasks -> tasks.claim(owner, now, now.plusSeconds(8), CLAIMED_AT_ONCE));
    }

    @Test
    void processesShareABacklogAndNoTaskIsTwoProcesses() throws SQLException {
        String url = postgres.emptySchema();
        int tasks = 1_000;
        try (Store one = open("share one", url);
                Store two = open("share two", url);
                Store three = open("share three", url)) {
            one.change(tables -> {
                for (int task = 0; task < tasks; task++) {
                    tables.tasks().wake(Kind.SERVICE, UUID.randomUUID(), Urgency.NEW, NOW);
                }
            });
            Crowd<List<Claim>> crowd = new Crowd<>();
            for (Store store : List.of(one, two, three)) {
                crowd.add(() -> {
                    List<Claim> mine = new ArrayList<>();
                    for (List<Claim> some = claim(store, "p", NOW); !some.isEmpty(); some = claim(store, "p", NOW)) {
                        mine.addAll(some);
                    }
                    return mine;
                });
            }
            List<List<Claim>> shares = crowd.results();
            List<UUID> all =
                    shares.stream().flatMap(List::stream).map(Claim::subjectId).toList();
            assertThat(all).doesNotHaveDuplicates();
            // A row that another one was just claiming is stepped over, and found at the next look.
            assertThat(all.size() + claim(one, "p", NOW).size()).isEqualTo(tasks);
        }
    }

    @Test
    void createsDoNotKeepClaimsFromTheirTurn() throws SQLException {
        String url = postgres.emptySchema();
        int creators = 16;
        int each = 60;
        try (PostgresStore one = open("creates one", url);
                PostgresStore two = open("creates two", url)) {
            long began = System.nanoTime();
            Crowd<Boolean> crowd = new Crowd<Boolean>().add(creators, () -> {
                for (int row = 0; row < each; row++) {
                    Organization made = Samples.row();
                    one.change(tables -> {
                        tables.of(Organization.KIND).insert(made);
                        tables.tasks().wake(Kind.SERVICE, made.id(), Urgency.NEW, NOW);
                    });
                }
                return true;
            });
            List<Claim> claims = new ArrayList<>();
            int rounds = 0;
            while (!crowd.areAllDone()) {
                claims.addAll(claim(two, "two", NOW));
                rounds++;
            }
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            assertThat(crowd.results()).hasSize(creators);
            System.out.printf(
                    "PostgresSharedIT: %d creates, %d of them claimed in %d rounds meanwhile, in %d ms%n",
                    creators * each, claims.size(), rounds, took.toMillis());
            assertThat(claims.size()).as("claimed while others were made").isGreaterThan(creators * each / 2);
            for (List<Claim> rest = claim(two, "two", NOW); !rest.isEmpty(); rest = claim(two, "two", NOW)) {
                claims.addAll(rest);
            }
            assertThat(claims)
                    .extracting(Claim::subjectId)
                    .doesNotHaveDuplicates()
                    .hasSize(creators * each);
        }
    }
}
