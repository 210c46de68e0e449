package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveDatabase.settings;
import static io.pilothouse.plane.local.LiveDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.ProcessLimits;
import io.pilothouse.plane.local.process.ProcessMark;
import io.pilothouse.plane.local.turn.Budget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many databases that are to start at once: few do, as many as fit run, and the others say what they wait for. */
class CrowdIT {
    private static final String PASSWORD = "crowd";
    private static final int FIT = 4;
    private static final int AT_ONCE = 2;

    @TempDir
    private Path folder;

    private final Queue<UUID> called = new ConcurrentLinkedQueue<>();

    private LocalDatabases plane() throws DatabaseFailure, InterruptedException {
        DatabaseSetup usual = LiveDatabase.setup(LiveDatabase.require(), folder.resolve("services"), false);
        return new LocalDatabases(
                new DatabaseSetup(
                        usual.clickhouse(),
                        usual.root(),
                        usual.ports(),
                        usual.users(),
                        usual.java(),
                        usual.egress(),
                        usual.fences(),
                        new Budget(FIT * (384L << 20), AT_ONCE, 1 << 20),
                        ProcessLimits.NONE,
                        false,
                        usual.patience(),
                        usual.clock(),
                        usual.threads()),
                called::add);
    }

    /** Looks at all of them, and starts those that do not run, as the engine does. */
    private static List<DatabaseSeen> pass(LocalDatabases databases, List<UUID> ids)
            throws DatabaseFailure, InterruptedException {
        List<DatabaseSeen> seen = new ArrayList<>();
        for (UUID id : ids) {
            DatabaseSeen now = databases.observe(id);
            if (now instanceof DatabaseSeen.Absent || now instanceof DatabaseSeen.Stopped) {
                databases.start(id, settings(PASSWORD));
                now = databases.observe(id);
            }
            seen.add(now);
        }
        assertThat(seen.stream().filter(DatabaseSeen.Starting.class::isInstance))
                .hasSizeLessThanOrEqualTo(AT_ONCE);
        return seen;
    }

    private static List<DatabaseSeen> untilRun(LocalDatabases databases, List<UUID> ids, int many)
            throws DatabaseFailure, InterruptedException {
        long deadline = System.nanoTime() + 60_000_000_000L;
        List<DatabaseSeen> seen = pass(databases, ids);
        while (seen.stream().filter(DatabaseSeen.Running.class::isInstance).count() < many) {
            assertThat(System.nanoTime()).as("%s", seen).isLessThan(deadline);
            seen = pass(databases, ids);
        }
        return seen;
    }

    @Test
    void asManyRunAsFitAndTheOthersFollowInOrder() throws DatabaseFailure, InterruptedException, IOException {
        List<UUID> ids = Stream.generate(UUID::randomUUID).limit(FIT + 2).toList();
        try (LocalDatabases databases = plane()) {
            List<DatabaseSeen> seen = untilRun(databases, ids, FIT);
            for (int each = 0; each < ids.size(); each++) {
                if (each < FIT) {
                    assertThat(seen.get(each)).isInstanceOf(DatabaseSeen.Running.class);
                } else {
                    assertThat(seen.get(each))
                            .isInstanceOfSatisfying(
                                    DatabaseSeen.Waiting.class,
                                    waiting -> assertThat(waiting.reason())
                                            .contains("the memory for databases on this machine holds " + FIT));
                }
            }
            DatabaseAddress address = databases.address(ids.getFirst()).orElseThrow();
            assertThat(value(address, PASSWORD, "SELECT keep_free_space FROM system.disks WHERE name = 'default'"))
                    .isEqualTo(Long.toString(1 << 20));
            assertGivesWay(databases, ids.getFirst());

            called.clear();
            databases.stop(ids.getFirst());
            assertThat(called).containsExactly(ids.get(FIT));
            List<UUID> rest = ids.subList(1, ids.size());
            seen = untilRun(databases, rest, FIT);
            assertThat(seen.get(FIT - 1)).isInstanceOf(DatabaseSeen.Running.class);
            assertThat(seen.getLast()).isInstanceOf(DatabaseSeen.Waiting.class);
            databases.erase(ids.getLast());
            assertThat(databases.observe(ids.getLast())).isEqualTo(new DatabaseSeen.Absent());
        }
    }

    /** The operating system takes memory, and a processor that both want, from a database before the control plane. */
    private static void assertGivesWay(LocalDatabases databases, UUID id) throws IOException {
        Path own = Path.of("/proc/self");
        if (!Files.exists(own)) {
            return;
        }
        long pid = ProcessMark.parse(databases.folder(id).processMark().orElseThrow())
                .flatMap(ProcessMark::pid)
                .orElseThrow();
        Path process = Path.of("/proc", Long.toString(pid));
        assertThat(process.resolve("oom_score_adj")).hasContent("500\n");
        assertThat(nice(process)).isEqualTo(Math.min(nice(own) + 5, 19));
    }

    private static int nice(Path process) throws IOException {
        String stat = Files.readString(process.resolve("stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
    }
}
