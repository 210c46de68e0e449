package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveDatabase.kill;
import static io.pilothouse.plane.local.LiveDatabase.query;
import static io.pilothouse.plane.local.LiveDatabase.settings;
import static io.pilothouse.plane.local.LiveDatabase.started;
import static io.pilothouse.plane.local.LiveDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.plane.local.bundled.Egress;
import io.pilothouse.plane.local.process.ProcessMark;
import io.pilothouse.plane.local.process.ProcessTable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of services on the real bundled ClickHouse. */
class LocalDatabasesIT {
    private static final String PASSWORD = "correct horse battery staple";

    @TempDir
    Path folder;

    private final UUID id = UUID.randomUUID();
    private ClickHouse.Bundled clickhouse;
    private LocalDatabases databases;

    @BeforeEach
    void openPlane() throws DatabaseFailure, InterruptedException {
        clickhouse = LiveDatabase.require();
        databases = new LocalDatabases(LiveDatabase.setup(clickhouse, folder.resolve("services"), false));
    }

    @AfterEach
    void closePlane() throws DatabaseFailure {
        databases.close();
    }

    @Test
    void startedServiceAnswersWithItsPasswordOnly() throws IOException, DatabaseFailure, InterruptedException {
        assertThat(databases.observe(id)).isEqualTo(new DatabaseSeen.Absent());

        DatabaseAddress address = started(databases, id, settings(PASSWORD));

        assertThat(value(address, PASSWORD, "SELECT currentUser(), 6 * 7")).isEqualTo("default\t42");
        assertThat(address.capabilities().version()).matches("\\d+\\.\\d+\\..*");
        assertThat(address.capabilities().backup()).isTrue();
        assertThat(address.nativeProtocol()).isEmpty();
        assertThat(query(address, "wrong", "SELECT 1").statusCode()).isIn(401, 403, 516);
        assertThat(query(address, "", "SELECT 1").statusCode()).isIn(401, 403, 516);
    }

    @Test
    void stopKeepsTheDataAndTheNextStartFindsIt() throws IOException, DatabaseFailure, InterruptedException {
        DatabaseAddress first = started(databases, id, settings(PASSWORD));
        value(first, PASSWORD, "CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
        value(first, PASSWORD, "INSERT INTO t SELECT number FROM numbers(1000)");
        // A second start used to fail on the database's own tables.
        assertThat(databases.ask(id, "SYSTEM FLUSH LOGS", Duration.ofSeconds(60)))
                .isInstanceOf(DatabaseClient.Answer.Text.class);

        databases.stop(id);
        assertThat(databases.observe(id)).isEqualTo(new DatabaseSeen.Stopped());
        assertThat(databases.address(id)).isEmpty();
        databases.stop(id);

        DatabaseAddress second = started(databases, id, settings(PASSWORD));
        assertThat(second.ports()).isEqualTo(first.ports());
        assertThat(value(second, PASSWORD, "SELECT count(), sum(x) FROM t")).isEqualTo("1000\t499500");
        value(second, PASSWORD, "SYSTEM FLUSH LOGS");
        assertThat(Integer.parseInt(value(second, PASSWORD, "SELECT count() FROM system.query_log")))
                .isPositive();
    }

    @Test
    void startOfARunningServiceChangesNothing() throws IOException, DatabaseFailure, InterruptedException {
        started(databases, id, settings(PASSWORD));
        long pid = pid();

        assertThat(databases.start(id, settings(PASSWORD))).isEqualTo(LocalDatabases.Started.RAN_ALREADY);

        assertThat(pid()).isEqualTo(pid);
    }

    @Test
    void killedDatabaseIsSeenWithItsReasonAndComesBackWhole()
            throws IOException, DatabaseFailure, InterruptedException {
        DatabaseAddress address = started(databases, id, settings(PASSWORD));
        value(address, PASSWORD, "CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
        value(address, PASSWORD, "INSERT INTO t SELECT number FROM numbers(50000)");

        kill(pid());

        assertThat(databases.observe(id)).isEqualTo(new DatabaseSeen.Broken("The database was ended by signal 9."));
        assertThat(databases.address(id)).isEmpty();
        DatabaseAddress again = started(databases, id, settings(PASSWORD));
        assertThat(value(again, PASSWORD, "SELECT count() FROM t")).isEqualTo("50000");
    }

    @Test
    void newPasswordReplacesTheOldOne() throws IOException, DatabaseFailure, InterruptedException {
        started(databases, id, settings(PASSWORD));

        assertThat(databases.start(id, settings("another one"))).isEqualTo(LocalDatabases.Started.RESTARTED);
        DatabaseAddress address =
                databases.awaitAnswer(id, Duration.ofSeconds(60)).orElseThrow();

        assertThat(value(address, "another one", "SELECT 1")).isEqualTo("1");
        assertThat(query(address, PASSWORD, "SELECT 1").statusCode()).isNotEqualTo(200);
        assertThat(databases.observe(id))
                .isEqualTo(new DatabaseSeen.Running(address, databases.fingerprint(settings("another one"))));
    }

    @Test
    void memoryCeilingIsTheServersOwn() throws IOException, DatabaseFailure, InterruptedException {
        DatabaseAddress address = started(databases, id, settings(PASSWORD, 512L << 20));

        assertThat(value(
                        address,
                        PASSWORD,
                        "SELECT value FROM system.server_settings WHERE name = 'max_server_memory_usage'"))
                .isEqualTo(Long.toString(512L << 20));
        assertThat(query(address, PASSWORD, "SELECT groupArray(number) FROM numbers(200000000)")
                        .body())
                .contains("MEMORY_LIMIT_EXCEEDED");
        assertThat(value(address, PASSWORD, "SELECT 1")).isEqualTo("1");
    }

    @Test
    void usersCannotKillWhatKeepsTheDatabaseUp() throws IOException, DatabaseFailure, InterruptedException {
        DatabaseAddress address = started(databases, id, settings(PASSWORD));

        value(address, PASSWORD, "KILL QUERY WHERE 1");

        assertThat(value(address, PASSWORD, "SELECT 1")).isEqualTo("1");
        assertThat(value(address, PASSWORD, "SELECT count() FROM system.processes"))
                .isNotEmpty();
    }

    @Test
    void eraseLeavesNothingBehind() throws IOException, DatabaseFailure, InterruptedException {
        DatabaseAddress address = started(databases, id, settings(PASSWORD));
        long pid = pid();

        databases.erase(id);

        assertThat(databases.observe(id)).isEqualTo(new DatabaseSeen.Absent());
        assertThat(ProcessHandle.of(pid).filter(new ProcessTable()::isAlive)).isEmpty();
        try (Stream<Path> left = Files.list(folder.resolve("services"))) {
            assertThat(left).containsExactly(folder.resolve("services").resolve(".lock"));
        }
        assertThat(PortSets.isFree(address.http())).isTrue();
        databases.erase(id);
    }

    @Test
    void servicesHaveTheirOwnPortsAndPasswords() throws IOException, DatabaseFailure, InterruptedException {
        UUID other = UUID.randomUUID();
        DatabaseAddress one = started(databases, id, settings(PASSWORD));
        DatabaseAddress two = started(databases, other, settings("another one"));

        assertThat(two.http()).isNotEqualTo(one.http());
        assertThat(query(two, PASSWORD, "SELECT 1").statusCode()).isNotEqualTo(200);
        assertThat(databases.folder(id).ownPassword())
                .isNotEqualTo(databases.folder(other).ownPassword());
    }

    @Test
    void takenPortIsLeftToTheStranger() throws IOException, DatabaseFailure, InterruptedException {
        DatabaseAddress first = started(databases, id, settings(PASSWORD));
        databases.stop(id);

        try (ServerSocket stranger = new ServerSocket()) {
            stranger.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), first.http()));
            DatabaseAddress second = started(databases, id, settings(PASSWORD));

            assertThat(second.http()).isNotEqualTo(first.http());
        }
    }

    @Test
    void controlPlaneThatClosesTakesItsDatabasesAlong() throws IOException, DatabaseFailure, InterruptedException {
        started(databases, id, settings(PASSWORD));
        long pid = pid();

        databases.close();

        assertThat(ProcessHandle.of(pid).filter(new ProcessTable()::isAlive)).isEmpty();
        databases = new LocalDatabases(LiveDatabase.setup(clickhouse, folder.resolve("services"), false));
        assertThat(databases.observe(id)).isEqualTo(new DatabaseSeen.Stopped());
    }

    @Test
    void databaseThatIsKeptIsTakenOverByTheNextControlPlane()
            throws IOException, DatabaseFailure, InterruptedException {
        Path root = folder.resolve("kept");
        long pid;
        try (LocalDatabases before = new LocalDatabases(LiveDatabase.setup(clickhouse, root, true))) {
            DatabaseAddress address = started(before, id, settings(PASSWORD));
            value(address, PASSWORD, "CREATE TABLE t (x UInt64) ENGINE = Memory");
            value(address, PASSWORD, "INSERT INTO t VALUES (7)");
            pid = pid(before);
        }

        try (LocalDatabases after = new LocalDatabases(LiveDatabase.setup(clickhouse, root, true))) {
            assertThat(after.start(id, settings(PASSWORD))).isEqualTo(LocalDatabases.Started.RAN_ALREADY);
            DatabaseAddress address =
                    after.awaitAnswer(id, Duration.ofSeconds(10)).orElseThrow();
            // A table in memory shows that it is the same process.
            assertThat(value(address, PASSWORD, "SELECT x FROM t")).isEqualTo("7");
            assertThat(pid(after)).isEqualTo(pid);
            after.erase(id);
        }
        assertThat(ProcessHandle.of(pid).filter(new ProcessTable()::isAlive)).isEmpty();
    }

    @Test
    void keptDatabaseThatIsHeldToOtherPlacesIsStartedAgain() throws IOException, DatabaseFailure, InterruptedException {
        Path root = folder.resolve("kept");
        long pid;
        try (LocalDatabases before = new LocalDatabases(LiveDatabase.setup(clickhouse, root, true))) {
            started(before, id, settings(PASSWORD));
            pid = pid(before);
        }

        try (LocalDatabases after = new LocalDatabases(LiveDatabase.setup(clickhouse, root, false, Egress.NONE))) {
            assertThat(after.start(id, settings(PASSWORD))).isEqualTo(LocalDatabases.Started.RESTARTED);
            assertThat(after.awaitAnswer(id, Duration.ofSeconds(30))).isPresent();
            assertThat(pid(after)).isNotEqualTo(pid);
        }
    }

    @Test
    void sweepEndsUnknownDatabasesAndKeepsTheirFolders() throws IOException, DatabaseFailure, InterruptedException {
        UUID known = UUID.randomUUID();
        started(databases, known, settings(PASSWORD));
        DatabaseAddress address = started(databases, id, settings(PASSWORD));
        value(address, PASSWORD, "CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
        long pid = pid();
        Files.createDirectories(folder.resolve("services")
                .resolve(".erasing-" + UUID.randomUUID())
                .resolve("data"));

        LocalDatabases.Swept swept = databases.sweep(Set.of(known));

        assertThat(swept.ended()).containsExactly(id);
        assertThat(swept.foldersKept()).containsExactly(id);
        assertThat(swept.erasuresFinished()).hasSize(1);
        assertThat(ProcessHandle.of(pid).filter(new ProcessTable()::isAlive)).isEmpty();
        assertThat(databases.folder(id).data()).isDirectory();
        assertThat(databases.observe(known)).isInstanceOf(DatabaseSeen.Running.class);
    }

    @Test
    void databaseWhoseStartWasNotWrittenDownIsFoundByItsCommandLine()
            throws IOException, DatabaseFailure, InterruptedException {
        started(databases, id, settings(PASSWORD));
        long pid = pid();
        ServiceFolder service = databases.folder(id);
        ProcessMark mark =
                ProcessMark.parse(service.processMark().orElseThrow()).orElseThrow();

        // The state after the control plane was killed between the start and the record of its number.
        String begun = ProcessMark.begun(mark.startedAtMillis(), mark.withParent(), mark.fingerprint())
                .text();
        service.keepProcessMark(begun);

        assertThat(databases.observe(id)).isInstanceOf(DatabaseSeen.Running.class);
        assertThat(service.processMark().orElseThrow())
                .as("a look writes nothing: the service may be starting")
                .isEqualTo(begun.strip());
        assertThat(databases.start(id, settings(PASSWORD))).isEqualTo(LocalDatabases.Started.RAN_ALREADY);
        assertThat(pid()).isEqualTo(pid);
    }

    @Test
    void databaseWhoseMarkIsDamagedIsFoundByItsCommandLineAndNotStartedTwice()
            throws IOException, DatabaseFailure, InterruptedException {
        started(databases, id, settings(PASSWORD));
        long pid = pid();
        databases.folder(id).keepProcessMark("noise");

        assertThat(databases.observe(id)).isInstanceOf(DatabaseSeen.Running.class);
        started(databases, id, settings(PASSWORD));

        assertThat(pid()).isNotEqualTo(pid);
        assertThat(ProcessHandle.of(pid).filter(new ProcessTable()::isAlive))
                .as("it may have been started with other settings, so it has made room for one that was not")
                .isEmpty();
    }

    @Test
    void processThatGotTheNumberOfAnOldDatabaseIsLeftAlone() throws IOException, DatabaseFailure, InterruptedException {
        started(databases, id, settings(PASSWORD));
        databases.stop(id);
        Process stranger = new ProcessBuilder("sleep", "60").start();
        try {
            String started = new ProcessTable().started(stranger.toHandle());
            databases
                    .folder(id)
                    .keepProcessMark(ProcessMark.begun(System.currentTimeMillis(), false, "")
                            .of(stranger.pid(), started)
                            .text());

            databases.stop(id);

            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }

    private long pid() throws IOException {
        return pid(databases);
    }

    private long pid(LocalDatabases of) throws IOException {
        return ProcessMark.parse(of.folder(id).processMark().orElseThrow())
                .flatMap(ProcessMark::pid)
                .orElseThrow();
    }
}
