package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Kind;
import io.pilothouse.core.port.Tasks.Urgency;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks in a real PostgreSQL that are of one host alone. */
class PostgresHostsIT {
    private static final Instant NOW = Instant.EPOCH.plusSeconds(100);

    @TempDir
    private Path folder;

    @Test
    void tasksOfAHostAreClaimedAndCountedByItAlone() throws IOException, SQLException {
        UUID alpha = UUID.randomUUID();
        UUID beta = UUID.randomUUID();
        try (Postgres postgres = new Postgres()) {
            String url = postgres.emptySchema();
            try (Store one = open("one", url, alpha);
                    Store two = open("two", url, beta)) {
                UUID ofAlpha = wake(one, alpha);
                UUID ofBeta = wake(one, beta);
                UUID ofAny = wake(one, null);
                assertThat(two.<Long>read(tables -> tables.tasks().backlog(NOW).due()))
                        .isEqualTo(2);
                assertThat(claim(two)).containsExactlyInAnyOrder(ofBeta, ofAny);
                assertThat(nextDue(two)).contains(NOW.plusSeconds(8));
                assertThat(nextDue(one)).contains(NOW);
                assertThat(claim(one)).containsExactly(ofAlpha);
                assertThat(one.<List<UUID>>read(tables -> tables.tasks().placed(Kind.SERVICE, beta, null, 10)))
                        .containsExactly(ofBeta);
                assertThat(one.<Long>read(tables -> tables.tasks().countPlaced(Kind.SERVICE, alpha)))
                        .isEqualTo(1);
            }
        }
    }

    private Store open(String name, String url, UUID host) {
        PostgresStore store = PostgresStore.openShared(
                folder.resolve(name), url, "postgres", "", Threads.PLATFORM, StoreMetrics.NONE);
        store.workFor(host);
        store.started();
        return store;
    }

    private static UUID wake(Store store, @Nullable UUID host) {
        UUID id = UUID.randomUUID();
        store.change(tables -> {
            tables.tasks().wake(Kind.SERVICE, id, Urgency.NEW, NOW);
            tables.tasks().place(Kind.SERVICE, id, host);
        });
        return id;
    }

    private static Optional<Instant> nextDue(Store store) {
        return store.read(tables -> tables.tasks().nextDue());
    }

    private static List<UUID> claim(Store store) {
        List<Claim> claims = store.writeTasks((Tasks tasks) -> tasks.claim("p", NOW, NOW.plusSeconds(8), 10));
        return claims.stream().map(Claim::subjectId).toList();
    }
}
