package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A store in PostgreSQL that one process has to itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresAloneIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Postgres postgres;

    @TempDir
    private Path folder;

    PostgresAloneIT() throws IOException, SQLException {
        postgres = new Postgres();
        postgres.execute("CREATE ROLE traveller SUPERUSER LOGIN");
    }

    @AfterAll
    void stopTheServer() throws IOException {
        postgres.close();
    }

    private Store open(String name, String url) {
        return PostgresStore.openAlone(folder.resolve(name), url, "postgres", "", Threads.PLATFORM, StoreMetrics.NONE);
    }

    /** A role that can be kept out, as by a network that is cut. */
    private Store openAsTraveller(String url) {
        return PostgresStore.openAlone(
                folder.resolve("traveller"), url, "traveller", "", Threads.PLATFORM, StoreMetrics.NONE);
    }

    private void cutTravellerOff() throws SQLException {
        postgres.execute("ALTER ROLE traveller NOLOGIN");
        postgres.execute("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = 'traveller'");
    }

    @AfterEach
    void letTravellerIn() throws SQLException {
        postgres.execute("ALTER ROLE traveller LOGIN");
    }

    /** A pool hands out a connection that has just been used without a look at it, so one may fail after another. */
    private static void awaitThere(Store store, Organization row) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        boolean there = false;
        while (!there) {
            assertThat(System.nanoTime()).as("the time until it is back").isLessThan(end);
            there = store.reachable() && isThere(store, row);
        }
    }

    private static boolean isThere(Store store, Organization row) {
        try {
            return Samples.isThere(store, row);
        } catch (StoreUnavailable e) {
            return false;
        }
    }

    @Test
    void secondProcessIsRefusedUntilTheFirstHasEnded() throws SQLException {
        String url = postgres.emptySchema();
        try (Store first = open("first", url)) {
            Samples.insert(first, Samples.named("a"));
            assertThatExceptionOfType(StoreRefused.class)
                    .isThrownBy(() -> open("second", url))
                    .withMessageContaining("Another Pilothouse runs on this store");
            assertThat(first.reachable()).isTrue();
        }
        try (Store second = open("second", url)) {
            assertThat(second.reachable()).isTrue();
        }
    }

    @Test
    void secondProcessIsRefusedInTheSameDataFolder() throws SQLException {
        String one = postgres.emptySchema();
        String other = postgres.emptySchema();
        try (Store first = open("same", one)) {
            assertThat(first.reachable()).isTrue();
            assertThatExceptionOfType(StoreRefused.class)
                    .isThrownBy(() -> open("same", other))
                    .withMessageContaining("in use by another process");
        }
        open("same", other).close();
    }

    @Test
    void schemasAreStoresOfTheirOwn() throws SQLException {
        try (Store one = open("one", postgres.emptySchema());
                Store other = open("other", postgres.emptySchema())) {
            Organization row = Samples.insert(one, Samples.named("a"));
            assertThat(Samples.isThere(one, row)).isTrue();
            assertThat(Samples.isThere(other, row)).isFalse();
        }
    }

    @Test
    void processThatWasReplacedWhileItWasCutOffChangesNothing() throws SQLException {
        String url = postgres.emptySchema();
        try (Store replaced = openAsTraveller(url)) {
            Organization row = Samples.insert(replaced, Samples.named("a"));
            Organization late = Samples.named("late");
            try (Store next = openOnceTravellerIsCutOff(url)) {
                letTravellerIn();
                assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> Samples.insert(replaced, late));
                assertThat(Samples.isThere(next, row)).isTrue();
                assertThat(Samples.isThere(next, late)).isFalse();
            }
            assertThat(replaced.reachable()).as("after its successor, too").isFalse();
        }
    }

    /** A connection that was being made when the others were cut may have outlived that. */
    private Store openOnceTravellerIsCutOff(String url) throws SQLException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            cutTravellerOff();
            try {
                return open("next", url);
            } catch (StoreRefused e) {
                assertThat(System.nanoTime()).as(e.getMessage()).isLessThan(end);
            }
        }
    }

    @Test
    void processThatWasCutOffAndNotReplacedGoesOn() throws SQLException {
        try (Store store = openAsTraveller(postgres.emptySchema())) {
            Organization row = Samples.insert(store, Samples.named("a"));
            long end = System.nanoTime() + PATIENCE.toNanos();
            do {
                assertThat(System.nanoTime()).as("the time to cut it off").isLessThan(end);
                cutTravellerOff();
            } while (store.reachable());
            letTravellerIn();
            awaitThere(store, row);
        }
    }

    @Test
    void rowThatSomebodyElseHoldsIsNotWaitedForForEver() throws SQLException {
        String url = postgres.emptySchema();
        String schema = url.substring(url.lastIndexOf('=') + 1);
        try (Store store = open("waits", url)) {
            postgres.whileHeld("LOCK TABLE " + schema + ".organizations", () -> {
                assertThatExceptionOfType(StoreUnavailable.class)
                        .isThrownBy(() -> Samples.insert(store, Samples.named("a")))
                        .withMessageContaining("lock timeout");
                assertThat(store.writeFault()).isEmpty();
            });
        }
    }
}
