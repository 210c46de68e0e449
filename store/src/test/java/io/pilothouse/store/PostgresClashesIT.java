package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The trouble that only PostgreSQL can give a store: other processes that write, and a server that disappears. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresClashesIT {
    private final Postgres postgres;

    PostgresClashesIT() throws IOException {
        postgres = new Postgres();
    }

    @AfterAll
    void stopTheServer() throws IOException {
        postgres.close();
    }

    private static Organization rename(Tables tables, Organization row, String name) {
        Organization found = tables.of(Organization.KIND).find(row.id()).orElseThrow();
        return tables.of(Organization.KIND)
                .replace(found.withDetails(name, false, List.of()), found.version())
                .orElseThrow();
    }

    @Test
    void writesOfProcessesTakeTurnsAndEachSeesWhatTheOneBeforeLeft() throws SQLException {
        String url = postgres.emptySchema();
        try (Store one = Postgres.open(url);
                Store two = Postgres.open(url)) {
            Organization row = Samples.insert(one, Samples.named("a"));
            Crowd<Organization> other = new Crowd<>();
            AtomicInteger runs = new AtomicInteger();
            one.change(tables -> {
                Organization read = tables.of(Organization.KIND).find(row.id()).orElseThrow();
                other.add(() -> two.write(later -> {
                    runs.incrementAndGet();
                    return rename(later, row, name(later, row) + "c");
                }));
                postgres.awaitNumber(1, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
                rename(tables, read, "b");
            });
            assertThat(other.result().name()).isEqualTo("bc");
            assertThat(other.result().version()).isEqualTo(3);
            assertThat(runs).hasValue(1);
        }
    }

    /** What no turn keeps apart, as a deadlock over tasks, is a clash; here the server is made to say so. */
    private void clashing(String url, String table, int times) throws SQLException {
        String schema = url.substring(url.lastIndexOf('=') + 1);
        postgres.execute("CREATE SEQUENCE " + schema + ".clashes");
        postgres.execute("CREATE FUNCTION " + schema + ".clash() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF nextval('" + schema + ".clashes') <= " + times
                + " THEN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END IF; RETURN NEW; END $$");
        postgres.execute("CREATE TRIGGER clash BEFORE INSERT OR UPDATE ON " + schema + "." + table
                + " FOR EACH ROW EXECUTE FUNCTION " + schema + ".clash()");
    }

    @Test
    void writeThatClashesIsRunAgainAsIfItHadNotRun() throws SQLException {
        String url = postgres.emptySchema();
        try (Store store = Postgres.open(url)) {
            Organization row = Samples.insert(store, Samples.named("a"));
            clashing(url, "organizations", 2);
            AtomicInteger runs = new AtomicInteger();
            List<Integer> nudges = new ArrayList<>();
            List<UUID> drawn = new ArrayList<>();
            Organization last = store.write(tables -> {
                int run = runs.incrementAndGet();
                tables.afterCommit(() -> nudges.add(run));
                drawn.add(tables.newId(Instant.EPOCH));
                return rename(tables, row, name(tables, row) + "b");
            });
            assertThat(last.name()).isEqualTo("ab");
            assertThat(last.version()).isEqualTo(2);
            assertThat(runs).hasValue(3);
            assertThat(nudges).containsExactly(3);
            assertThat(drawn).hasSize(3).containsOnly(drawn.getFirst());
        }
    }

    @Test
    void claimBetweenWhatAWriteReadsAndWritesMakesNeitherRunAgain() throws SQLException {
        String url = postgres.emptySchema();
        UUID waits = UUID.randomUUID();
        UUID comes = UUID.randomUUID();
        Instant now = Instant.EPOCH.plusSeconds(1);
        try (Store one = Postgres.open(url);
                Store two = Postgres.open(url)) {
            one.change(tables -> tables.tasks().wake(Tasks.Kind.ALERT, waits, Tasks.Urgency.ROUTINE, now));
            AtomicInteger runs = new AtomicInteger();
            List<List<Tasks.Claim>> claims = new ArrayList<>();
            one.change(tables -> {
                assertThat(tables.tasks().backlog(now).due()).isEqualTo(1);
                tables.tasks().wake(Tasks.Kind.ALERT, comes, Tasks.Urgency.ROUTINE, now);
                if (runs.incrementAndGet() == 1) {
                    claims.add(new Crowd<List<Tasks.Claim>>()
                            .add(() -> two.writeTasks(tasks -> tasks.claim("two", now, now.plusSeconds(20), 10)))
                            .result());
                }
            });
            assertThat(runs).hasValue(1);
            assertThat(claims.getFirst()).extracting(Tasks.Claim::subjectId).containsExactly(waits);
            assertThat(one.<List<Tasks.Claim>>writeTasks(tasks -> tasks.claim("one", now, now.plusSeconds(20), 10)))
                    .extracting(Tasks.Claim::subjectId)
                    .containsExactly(comes);
        }
    }

    @Test
    void readIsOfOneMomentAndMakesNoWriteRunAgain() throws SQLException {
        String url = postgres.emptySchema();
        try (Store one = Postgres.open(url);
                Store two = Postgres.open(url)) {
            Organization row = Samples.insert(one, Samples.named("a"));
            AtomicInteger runs = new AtomicInteger();
            List<String> names = one.read(tables -> {
                String before = name(tables, row);
                new Crowd<Organization>()
                        .add(() -> two.write(other -> {
                            runs.incrementAndGet();
                            return rename(other, row, "b");
                        }))
                        .result();
                return List.of(before, name(tables, row));
            });
            assertThat(names).containsExactly("a", "a");
            assertThat(runs).hasValue(1);
            assertThat(one.<String>read(tables -> name(tables, row))).isEqualTo("b");
        }
    }

    private static String name(Tables tables, Organization row) {
        return tables.of(Organization.KIND).find(row.id()).orElseThrow().name();
    }

    @Test
    void clashThatTheWorkSwallowsIsAClashAllTheSame() throws SQLException {
        String url = postgres.emptySchema();
        try (Store store = Postgres.open(url)) {
            Organization row = Samples.insert(store, Samples.named("a"));
            clashing(url, "organizations", 1);
            AtomicInteger runs = new AtomicInteger();
            String outcome = store.write(tables -> {
                runs.incrementAndGet();
                try {
                    return rename(tables, row, "c").name();
                } catch (RuntimeException e) {
                    throw new IllegalStateException("wrapped", e);
                }
            });
            assertThat(outcome).isEqualTo("c");
            assertThat(runs).hasValue(2);
        }
    }

    @Test
    void writeThatClashesEveryTimeGivesUpAndTakesNoOtherWithIt() throws SQLException {
        String url = postgres.emptySchema();
        try (Store store = Postgres.open(url)) {
            Organization row = Samples.insert(store, Samples.named("a"));
            clashing(url, "organizations", Integer.MAX_VALUE);
            AtomicInteger runs = new AtomicInteger();
            Crowd<Boolean> others = new Crowd<>();
            UUID subject = UUID.randomUUID();
            assertThatExceptionOfType(StoreUnavailable.class)
                    .isThrownBy(() -> store.write(tables -> {
                        if (runs.incrementAndGet() == 1) {
                            others.add(() -> store.write(other -> {
                                other.tasks().wake(Tasks.Kind.ALERT, subject, Tasks.Urgency.ROUTINE, Instant.EPOCH);
                                return true;
                            }));
                        }
                        return rename(tables, row, "mine");
                    }))
                    .withMessageContaining("clashed every time");
            // The first run shares its transaction with others; it is then tried by itself.
            assertThat(runs).hasValue(1 + GroupWriter.TRIES);
            assertThat(others.result()).isTrue();
            assertThat(store.<Boolean>read(tables ->
                            tables.tasks().find(Tasks.Kind.ALERT, subject).isPresent()))
                    .isTrue();
        }
    }

    @Test
    void interruptedBetweenTwoTriesItGivesUpWithNothingKept() throws SQLException {
        String url = postgres.emptySchema();
        UUID subject = UUID.randomUUID();
        try (Store store = Postgres.open(url)) {
            clashing(url, "tasks", 1);
            assertThatExceptionOfType(StoreUnavailable.class)
                    .isThrownBy(() -> store.writeTasks(tasks -> {
                        Thread.currentThread().interrupt();
                        tasks.wake(Tasks.Kind.ALERT, subject, Tasks.Urgency.ROUTINE, Instant.EPOCH);
                        return true;
                    }));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(store.<Boolean>read(tables ->
                            tables.tasks().find(Tasks.Kind.ALERT, subject).isPresent()))
                    .isFalse();
        }
    }

    @Test
    void refusedRowIsTheFaultOfItsOwnWriteThoughItIsSentWithOthers() throws SQLException {
        String url = postgres.emptySchema();
        try (Store store = Postgres.open(url)) {
            Organization row = Samples.insert(store, Samples.named("a"));
            Crowd<Organization> crowd = new Crowd<>();
            CountDownLatch queued = new CountDownLatch(1);
            crowd.add(() -> store.write(tables -> {
                awaited(queued);
                return tables.of(Organization.KIND).insert(Samples.named("before"));
            }));
            Crowd<Organization> bad = new Crowd<Organization>()
                    .add(() ->
                            store.write(tables -> tables.of(Organization.KIND).insert(row)));
            crowd.add(() -> store.write(tables -> rename(tables, row, "after")));
            queued.countDown();
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(bad::result);
            assertThat(crowd.results()).extracting(Organization::name).containsExactly("before", "after");
            assertThat(store.<Long>read(tables -> tables.of(Organization.KIND).all(null, 10).stream()
                            .filter(kept -> List.of("before", "after").contains(kept.name()))
                            .count()))
                    .isEqualTo(2);
        }
    }

    @Test
    void manyProcessesMayMigrateAtOnce() throws SQLException {
        String url = postgres.emptySchema();
        Crowd<Boolean> crowd = new Crowd<Boolean>().add(4, () -> {
            try (Store store = Postgres.open(url)) {
                return store.reachable();
            }
        });
        assertThat(crowd.results()).hasSize(4).doesNotContain(false);
    }

    @Test
    void storeOfANewerProgramIsRefused() throws SQLException {
        String url = postgres.emptySchema();
        Postgres.open(url).close();
        String schema = url.substring(url.lastIndexOf('=') + 1);
        postgres.execute("INSERT INTO " + schema + ".migrations (version, name, checksum) VALUES (999, 'later', '')");
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> Postgres.open(url))
                .withMessageContaining("its form is 999");
    }

    @Test
    void missingServerIsReportedInASentence() {
        assertThatExceptionOfType(StoreRefused.class)
                .isThrownBy(() -> PostgresStore.open(
                        "jdbc:postgresql://localhost:1/none",
                        "someone",
                        "top secret",
                        Threads.PLATFORM,
                        StoreMetrics.NONE))
                .withMessageStartingWith("The PostgreSQL server cannot be reached")
                .withMessageNotContaining("top secret");
    }

    @Test
    void connectionThatIsCutInTheMiddleIsUnavailableAndTheNextOneWorks() throws SQLException {
        try (Store store = Postgres.open(postgres.emptySchema())) {
            Organization row = Samples.row();
            assertThatExceptionOfType(StoreUnavailable.class)
                    .isThrownBy(() -> store.write(tables -> {
                        tables.of(Organization.KIND).insert(row);
                        cut(tables);
                        return tables.of(Organization.KIND).count(row.id());
                    }));
            assertThat(Samples.isThere(store, row)).isFalse();
        }
    }

    @Test
    void connectionThatIsCutAtTheCommitSaysThatTheOutcomeIsOpen() throws SQLException {
        try (Store store = Postgres.open(postgres.emptySchema())) {
            assertThatExceptionOfType(StoreUnavailable.class)
                    .isThrownBy(() -> store.write(tables -> {
                        tables.of(Organization.KIND).insert(Samples.row());
                        cut(tables);
                        return true;
                    }))
                    .withMessageContaining("may or may not stand");
            assertThat(store.reachable()).isTrue();
        }
    }

    private void cut(Tables tables) {
        long backend = ((Transaction) tables).number("SELECT pg_backend_pid()");
        try {
            postgres.execute("SELECT pg_terminate_backend(" + backend + ", 10000)");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void requestsAndTheEngineDoNotWaitForConnectionsOfEachOther() throws SQLException, InterruptedException {
        try (Store store = Postgres.open(postgres.emptySchema())) {
            oneIsServedWhileTheOtherHasNoConnection(store, store.forTheEngine(), 4);
            oneIsServedWhileTheOtherHasNoConnection(store.forTheEngine(), store, 10);
        }
    }

    private static void oneIsServedWhileTheOtherHasNoConnection(Store one, Store other, int connections)
            throws InterruptedException {
        CountDownLatch taken = new CountDownLatch(connections);
        CountDownLatch done = new CountDownLatch(1);
        Crowd<Boolean> crowd = new Crowd<>();
        crowd.add(
                2 * connections,
                () -> other.read(_ -> {
                    taken.countDown();
                    return awaited(done);
                }));
        assertThat(taken.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(one.<Boolean>read(Migrations::arePresent)).isTrue();
        done.countDown();
        assertThat(crowd.results()).hasSize(2 * connections).doesNotContain(false);
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
