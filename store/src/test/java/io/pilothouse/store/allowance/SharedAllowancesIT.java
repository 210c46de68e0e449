package io.pilothouse.store.allowance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.pilothouse.core.port.Allowances;
import io.pilothouse.core.port.Allowances.Share;
import io.pilothouse.store.PostgresStore;
import io.pilothouse.store.StoreMetrics;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What two processes count together in a real PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedAllowancesIT {
    private static final int LIMIT = 500;

    private final EmbeddedPostgres server;
    private PostgresStore oneStore;
    private PostgresStore otherStore;
    private SharedAllowances one;
    private SharedAllowances other;

    SharedAllowancesIT() throws IOException {
        server = EmbeddedPostgres.builder().start();
    }

    @BeforeAll
    void openBoth(@TempDir Path folder) {
        oneStore = open(folder.resolve("one"));
        otherStore = open(folder.resolve("other"));
        one = oneStore.allowances();
        other = otherStore.allowances();
    }

    private PostgresStore open(Path folder) {
        PostgresStore store = PostgresStore.openShared(
                folder,
                server.getJdbcUrl("postgres", "postgres"),
                "postgres",
                "",
                Thread.ofPlatform().daemon().factory(),
                StoreMetrics.NONE);
        store.started();
        return store;
    }

    @AfterAll
    void closeAll() throws IOException {
        one.close();
        other.close();
        oneStore.close();
        otherStore.close();
        server.close();
    }

    private static Share take(Allowances from, String name, int wanted, int most) {
        return Objects.requireNonNull(from.take(Set.of(name), wanted, most).get(name));
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void whatManyTakeAtOnceAtTwoProcessesIsExactlyWhatIsAllowed() {
        AtomicInteger granted = new AtomicInteger();
        try (ExecutorService takers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int taker = 0; taker < 16; taker++) {
                SharedAllowances from = taker % 2 == 0 ? one : other;
                takers.execute(() -> {
                    Share share;
                    do {
                        share = take(from, "crowded", 50, LIMIT);
                        granted.addAndGet(share.granted());
                    } while (share.granted() > 0);
                });
            }
        }
        assertThat(granted).hasValue(LIMIT);
        assertThat(take(one, "crowded", 1, LIMIT).left()).isZero();
    }

    @Test
    void moreIsGrantedWhileMuchIsLeft() {
        assertThat(take(one, "large", 100, 1_000).granted()).isEqualTo(100);
        assertThat(take(other, "large", 600, 1_000).granted()).isEqualTo(225);
        Share small = take(one, "small", 5, 2);
        assertThat(small.granted()).isEqualTo(1);
        assertThat(small.left()).isEqualTo(1);
        assertThat(small.rest()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void aMinuteThatIsOverBeginsAgainWithTheNextTake() throws SQLException {
        assertThat(take(one, "minute", 1, 1).granted()).isEqualTo(1);
        assertThat(take(other, "minute", 1, 1).granted()).isZero();
        execute("UPDATE allowances SET ends_at = ends_at - 60000000 WHERE name = 'minute'");
        assertThat(one.find(Set.of("minute"), 1)).isEmpty();
        assertThat(take(other, "minute", 1, 1).granted()).isEqualTo(1);
        assertThat(take(one, "minute", 1, 1).rest()).isPositive().isLessThanOrEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void aLookTakesNothingAndKnowsWhatOthersTook() {
        assertThat(one.find(Set.of("looked at"), 3)).isEmpty();
        take(other, "looked at", 1, 3);
        assertThat(one.find(Set.of("looked at", "never taken"), 3)).hasSize(1).allSatisfy((_, share) -> {
            assertThat(share.granted()).isZero();
            assertThat(share.left()).isEqualTo(2);
        });
    }

    @Test
    void takesOfSeveralNamesAtOnceDoNotWaitForEachOther() {
        List<Set<String>> names = List.of(Set.of("a", "b", "c"), Set.of("c", "b", "d"), Set.of("d", "a", "c"));
        try (ExecutorService takers = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, 300)
                    .forEach(at -> takers.execute(() -> {
                        SharedAllowances from = at % 2 == 0 ? one : other;
                        from.take(names.get(at % names.size()), 1, 1_000_000);
                    }));
        }
        assertThat(one.find(Set.of("a", "c"), 1_000_000).values())
                .extracting(Share::left)
                .containsExactlyInAnyOrder(1_000_000 - 200, 1_000_000 - 300);
    }

    @Test
    void rowsOfMinutesThatAreOverGoAndOthersStay() throws SQLException {
        execute("INSERT INTO allowances SELECT 'old ' || i, 1, 1, i FROM generate_series(1, 1500) AS i");
        for (int at = 0; at < 100; at++) {
            take(one, "new " + at, 1, 1);
        }
        assertThat(number("SELECT COUNT(*) FROM allowances WHERE name LIKE 'old %'"))
                .isZero();
        assertThat(number("SELECT COUNT(*) FROM allowances WHERE name LIKE 'new %'"))
                .isEqualTo(100);
    }

    @Test
    void aNameIsNeverLong() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.take(Set.of("x".repeat(Allowances.MAX_NAME + 1)), 1, 1));
    }
}
