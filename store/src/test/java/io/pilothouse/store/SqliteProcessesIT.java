package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.testkit.Walk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded store and other processes: one at a time, and no kill costs what was acknowledged. */
class SqliteProcessesIT {
    private static final int ROUNDS = Walk.length(20, 300);
    private static final int MIN_LINES = 100;
    private static final int MAX_LINES = 1_700;
    private static final int UUID_LENGTH = 36;

    @TempDir
    private Path folder;

    private static SqliteStore open(Path folder) {
        return SqliteStore.open(folder, Threads.PLATFORM, StoreMetrics.NONE);
    }

    @Test
    void folderThatAnotherProcessUsesIsRefusedUntilThatOneIsDead() throws IOException, InterruptedException {
        try (StoreProcess other = StoreProcess.start(StoreProcess.Task.HOLD, folder)) {
            assertThat(other.says()).isEqualTo("open");
            assertThatExceptionOfType(StoreRefused.class)
                    .isThrownBy(() -> open(folder))
                    .withMessage("The data folder %s is in use by another process: stop that one first.", folder);
            other.kill();
            open(folder).close();
        }
    }

    @Test
    void otherProcessIsRefusedInASentence() throws IOException, InterruptedException {
        try (SqliteStore store = open(folder);
                StoreProcess other = StoreProcess.start(StoreProcess.Task.HOLD, folder)) {
            assertThat(other.says())
                    .isEqualTo("The data folder " + folder + " is in use by another process: stop that one first.");
            assertThat(other.exitCode()).isEqualTo(1);
            assertThat(store.reachable()).isTrue();
        }
    }

    @Test
    void noAcknowledgedWriteIsLostHoweverOftenTheProcessIsKilled() throws IOException, InterruptedException {
        Set<UUID> acknowledged = new HashSet<>();
        RandomGenerator random = Walk.begin(SqliteProcessesIT.class).random();
        for (int round = 0; round < ROUNDS; round++) {
            int wanted = random.nextInt(MIN_LINES, MAX_LINES);
            try (StoreProcess writer = StoreProcess.start(StoreProcess.Task.WRITE, folder)) {
                assertThat(writer.says()).isEqualTo("open");
                List<String> lines = new ArrayList<>();
                while (lines.size() < wanted) {
                    lines.add(writer.says());
                }
                lines.addAll(writer.kill());
                lines.stream()
                        .filter(line -> line.length() == UUID_LENGTH)
                        .map(UUID::fromString)
                        .forEach(acknowledged::add);
            }
            assertThat(lost(acknowledged)).as("lost after kill %s", round + 1).isEmpty();
        }
        assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ROUNDS * MIN_LINES);
    }

    private Set<UUID> lost(Set<UUID> acknowledged) {
        try (SqliteStore store = open(folder)) {
            return store.read(tables -> {
                assertThat(((Transaction) tables).list("PRAGMA quick_check", row -> row.getString(1)))
                        .containsExactly("ok");
                Set<UUID> lost = new HashSet<>(acknowledged);
                lost.removeIf(id -> tables.of(Organization.KIND).find(id).isPresent());
                // A row and its task were one write: neither is ever there alone.
                long rows = ((Transaction) tables).number("SELECT COUNT(*) FROM organizations");
                assertThat(tables.tasks().backlog(Instant.MAX).due()).isEqualTo(rows);
                return lost;
            });
        }
    }
}
