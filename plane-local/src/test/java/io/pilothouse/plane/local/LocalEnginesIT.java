package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveEngine.query;
import static io.pilothouse.plane.local.LiveEngine.settings;
import static io.pilothouse.plane.local.LiveEngine.started;
import static io.pilothouse.plane.local.LiveEngine.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of services on the real bundled engine. */
class LocalEnginesIT {
    private static final String PASSWORD = "correct horse battery staple";

    @TempDir
    Path folder;

    private final UUID id = UUID.randomUUID();
    private Engine.Bundled engine;
    private LocalEngines engines;

    @BeforeEach
    void openPlane() throws EngineFault, InterruptedException {
        engine = LiveEngine.require();
        engines = new LocalEngines(LiveEngine.setup(engine, folder.resolve("services"), false));
    }

    @AfterEach
    void closePlane() throws EngineFault {
        engines.close();
    }

    @Test
    void startedServiceAnswersWithItsPasswordOnly() throws IOException, EngineFault, InterruptedException {
        assertThat(engines.observe(id)).isEqualTo(new Sighting.Absent());

        EngineAddress address = started(engines, id, settings(PASSWORD));

        assertThat(value(address, PASSWORD, "SELECT currentUser(), 6 * 7")).isEqualTo("default\t42");
        assertThat(address.capabilities().version()).matches("\\d+\\.\\d+\\..*");
        assertThat(address.capabilities().backup()).isTrue();
        assertThat(address.nativeProtocol()).isEmpty();
        assertThat(query(address, "wrong", "SELECT 1").statusCode()).isIn(401, 403, 516);
        assertThat(query(address, "", "SELECT 1").statusCode()).isIn(401, 403, 516);
    }

    @Test
    void stopKeepsTheDataAndTheNextStartFindsIt() throws IOException, EngineFault, InterruptedException {
        EngineAddress first = started(engines, id, settings(PASSWORD));
        value(first, PASSWORD, "CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
        value(first, PASSWORD, "INSERT INTO t SELECT number FROM numbers(1000)");
        // The engine's own tables are what a second start used to stumble over.
        assertThat(engines.ask(id, "SYSTEM FLUSH LOGS", Duration.ofSeconds(60)))
                .isInstanceOf(EngineClient.Answer.Text.class);

        engines.stop(id);
        assertThat(engines.observe(id)).isEqualTo(new Sighting.Stopped());
        assertThat(engines.address(id)).isEmpty();
        engines.stop(id);

        EngineAddress second = started(engines, id, settings(PASSWORD));
        assertThat(second.ports()).isEqualTo(first.ports());
        assertThat(value(second, PASSWORD, "SELECT count(), sum(x) FROM t")).isEqualTo("1000\t499500");
        value(second, PASSWORD, "SYSTEM FLUSH LOGS");
        assertThat(Integer.parseInt(value(second, PASSWORD, "SELECT count() FROM system.query_log")))
                .isPositive();
    }

    @Test
    void startOfARunningServiceChangesNothing() throws IOException, EngineFault, InterruptedException {
        started(engines, id, settings(PASSWORD));
        long pid = pid();

        assertThat(engines.start(id, settings(PASSWORD))).isEqualTo(LocalEngines.Started.RAN_ALREADY);

        assertThat(pid()).isEqualTo(pid);
    }

    @Test
    void killedDatabaseIsSeenWithItsReasonAndComesBackWhole() throws IOException, EngineFault, InterruptedException {
        EngineAddress address = started(engines, id, settings(PASSWORD));
        value(address, PASSWORD, "CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
        value(address, PASSWORD, "INSERT INTO t SELECT number FROM numbers(50000)");

        kill(pid());

        assertThat(engines.observe(id)).isEqualTo(new Sighting.Broken("The engine was ended by signal 9."));
        assertThat(engines.address(id)).isEmpty();
        EngineAddress again = started(engines, id, settings(PASSWORD));
        assertThat(value(again, PASSWORD, "SELECT count() FROM t")).isEqualTo("50000");
    }

    @Test
    void newPasswordReplacesTheOldOne() throws IOException, EngineFault, InterruptedException {
        started(engines, id, settings(PASSWORD));

        assertThat(engines.start(id, settings("another one"))).isEqualTo(LocalEngines.Started.RESTARTED);
        EngineAddress address = engines.awaitAnswer(id, Duration.ofSeconds(60)).orElseThrow();

        assertThat(value(address, "another one", "SELECT 1")).isEqualTo("1");
        assertThat(query(address, PASSWORD, "SELECT 1").statusCode()).isNotEqualTo(200);
        assertThat(engines.observe(id))
                .isEqualTo(new Sighting.Running(address, settings("another one").fingerprint()));
    }

    @Test
    void memoryCeilingIsTheServersOwn() throws IOException, EngineFault, InterruptedException {
        EngineAddress address = started(engines, id, settings(PASSWORD, 512L << 20));

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
    void queriesReachNoFileOfTheMachine() throws IOException, EngineFault, InterruptedException {
        EngineAddress address = started(engines, id, settings(PASSWORD));
        Path secret = Files.writeString(folder.resolve("secret.txt"), "hush");
        Path own = engines.folder(id).path().resolve("own-password");

        Path environment =
                Path.of("/proc", Long.toString(ProcessHandle.current().pid()), "environ");
        for (Path path : new Path[] {secret, own, Path.of("/etc/passwd"), environment}) {
            for (String sql : new String[] {
                "SELECT * FROM file('" + path + "', 'LineAsString')",
                "SELECT * FROM url('file://" + path + "', 'LineAsString', 'line String')",
                "SELECT * FROM \"" + path + "\"",
                "SELECT file('" + path + "')",
                "SELECT * FROM sqlite('" + path + "', 't')",
                "INSERT INTO FUNCTION file('" + path + "', 'LineAsString', 'line String') VALUES ('x')",
                "CREATE TABLE f (line String) ENGINE = File(LineAsString, '" + path + "')",
                "CREATE TABLE r (k String, v String) ENGINE = EmbeddedRocksDB(0, '" + path.getParent()
                        + "/rocks') PRIMARY KEY k",
                "BACKUP DATABASE default TO File('" + path + ".backup')",
                "CREATE TABLE m (x Int8) ENGINE = MergeTree ORDER BY x SETTINGS disk = disk(type = local, path = '"
                        + path.getParent() + "/disk/')",
            }) {
                assertThat(query(address, PASSWORD, sql).statusCode()).as(sql).isNotEqualTo(200);
            }
        }
        // Naming a folder as a database is let through; looking into it is not.
        query(address, PASSWORD, "CREATE DATABASE d ENGINE = Filesystem('" + folder + "')");
        assertThat(query(address, PASSWORD, "SELECT * FROM d.\"secret.txt\"").statusCode())
                .isNotEqualTo(200);
        query(
                address,
                PASSWORD,
                "CREATE DICTIONARY p (line String) PRIMARY KEY line SOURCE(EXECUTABLE(COMMAND 'cat " + secret
                        + "' FORMAT 'LineAsString')) LIFETIME(0) LAYOUT(COMPLEX_KEY_HASHED())");
        assertThat(query(address, PASSWORD, "SELECT * FROM p").statusCode()).isNotEqualTo(200);
        assertThat(Files.readString(secret)).isEqualTo("hush");
        assertThat(value(address, PASSWORD, "SELECT 1")).isEqualTo("1");
    }

    @Test
    void usersCannotKillWhatKeepsTheEngineUp() throws IOException, EngineFault, InterruptedException {
        EngineAddress address = started(engines, id, settings(PASSWORD));

        value(address, PASSWORD, "KILL QUERY WHERE 1");

        assertThat(value(address, PASSWORD, "SELECT 1")).isEqualTo("1");
        assertThat(value(address, PASSWORD, "SELECT count() FROM system.processes"))
                .isNotEmpty();
    }

    @Test
    void eraseLeavesNothingBehind() throws IOException, EngineFault, InterruptedException {
        EngineAddress address = started(engines, id, settings(PASSWORD));
        long pid = pid();

        engines.erase(id);

        assertThat(engines.observe(id)).isEqualTo(new Sighting.Absent());
        assertThat(ProcessHandle.of(pid).filter(new ProcessTable()::isAlive)).isEmpty();
        try (Stream<Path> left = Files.list(folder.resolve("services"))) {
            assertThat(left).containsExactly(folder.resolve("services").resolve(".lock"));
        }
        assertThat(PortSets.isFree(address.http())).isTrue();
        engines.erase(id);
    }

    @Test
    void servicesHaveTheirOwnPortsAndPasswords() throws IOException, EngineFault, InterruptedException {
        UUID other = UUID.randomUUID();
        EngineAddress one = started(engines, id, settings(PASSWORD));
        EngineAddress two = started(engines, other, settings("another one"));

        assertThat(two.http()).isNotEqualTo(one.http());
        assertThat(query(two, PASSWORD, "SELECT 1").statusCode()).isNotEqualTo(200);
        assertThat(engines.folder(id).ownPassword())
                .isNotEqualTo(engines.folder(other).ownPassword());
        String users = Files.readString(engines.folder(id).users());
        assertThat(users).doesNotContain(PASSWORD);
        assertThat(users).doesNotContain(engines.folder(id).ownPassword().orElseThrow());
    }

    @Test
    void takenPortIsLeftToTheStranger() throws IOException, EngineFault, InterruptedException {
        EngineAddress first = started(engines, id, settings(PASSWORD));
        engines.stop(id);

        try (ServerSocket stranger = new ServerSocket()) {
            stranger.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), first.http()));
            EngineAddress second = started(engines, id, settings(PASSWORD));

            assertThat(second.http()).isNotEqualTo(first.http());
        }
    }

    @Test
    void controlPlaneThatClosesTakesItsEnginesAlong() throws IOException, EngineFault, InterruptedException {
        started(engines, id, settings(PASSWORD));
        long pid = pid();

        engines.close();

        assertThat(ProcessHandle.of(pid).filter(new ProcessTable()::isAlive)).isEmpty();
        engines = new LocalEngines(LiveEngine.setup(engine, folder.resolve("services"), false));
        assertThat(engines.observe(id)).isEqualTo(new Sighting.Stopped());
    }

    @Test
    void engineThatIsKeptIsTakenOverByTheNextControlPlane() throws IOException, EngineFault, InterruptedException {
        Path root = folder.resolve("kept");
        long pid;
        try (LocalEngines before = new LocalEngines(LiveEngine.setup(engine, root, true))) {
            EngineAddress address = started(before, id, settings(PASSWORD));
            value(address, PASSWORD, "CREATE TABLE t (x UInt64) ENGINE = Memory");
            value(address, PASSWORD, "INSERT INTO t VALUES (7)");
            pid = pid(before);
        }

        try (LocalEngines after = new LocalEngines(LiveEngine.setup(engine, root, true))) {
            assertThat(after.start(id, settings(PASSWORD))).isEqualTo(LocalEngines.Started.RAN_ALREADY);
            EngineAddress address =
                    after.awaitAnswer(id, Duration.ofSeconds(10)).orElseThrow();
            // A table in memory tells that it is the same process.
            assertThat(value(address, PASSWORD, "SELECT x FROM t")).isEqualTo("7");
            assertThat(pid(after)).isEqualTo(pid);
            after.erase(id);
        }
        assertThat(ProcessHandle.of(pid).filter(new ProcessTable()::isAlive)).isEmpty();
    }

    @Test
    void sweepEndsUnknownEnginesAndKeepsTheirFolders() throws IOException, EngineFault, InterruptedException {
        UUID known = UUID.randomUUID();
        started(engines, known, settings(PASSWORD));
        EngineAddress address = started(engines, id, settings(PASSWORD));
        value(address, PASSWORD, "CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
        long pid = pid();
        Files.createDirectories(folder.resolve("services")
                .resolve(".erasing-" + UUID.randomUUID())
                .resolve("data"));

        LocalEngines.Swept swept = engines.sweep(Set.of(known));

        assertThat(swept.ended()).containsExactly(id);
        assertThat(swept.foldersKept()).containsExactly(id);
        assertThat(swept.erasuresFinished()).hasSize(1);
        assertThat(ProcessHandle.of(pid).filter(new ProcessTable()::isAlive)).isEmpty();
        assertThat(engines.folder(id).data()).isDirectory();
        assertThat(engines.observe(known)).isInstanceOf(Sighting.Running.class);
    }

    @Test
    void engineWhoseStartWasNotWrittenDownIsFoundByItsCommandLine()
            throws IOException, EngineFault, InterruptedException {
        started(engines, id, settings(PASSWORD));
        long pid = pid();
        ServiceFolder service = engines.folder(id);
        ProcessMark mark =
                ProcessMark.parse(service.processMark().orElseThrow()).orElseThrow();

        // What is left when the control plane is killed between the start and the note of its number.
        service.keepProcessMark(ProcessMark.begun(mark.startedAtMillis(), mark.withParent(), mark.fingerprint())
                .text());

        assertThat(engines.start(id, settings(PASSWORD))).isEqualTo(LocalEngines.Started.RAN_ALREADY);
        assertThat(pid()).isEqualTo(pid);
    }

    @Test
    void processThatGotTheNumberOfAnOldEngineIsLeftAlone() throws IOException, EngineFault, InterruptedException {
        started(engines, id, settings(PASSWORD));
        engines.stop(id);
        Process stranger = new ProcessBuilder("sleep", "60").start();
        try {
            String started = new ProcessTable().started(stranger.toHandle());
            engines.folder(id)
                    .keepProcessMark(ProcessMark.begun(System.currentTimeMillis(), false, "")
                            .of(stranger.pid(), started)
                            .text());

            engines.stop(id);

            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }

    private long pid() throws IOException {
        return pid(engines);
    }

    private long pid(LocalEngines of) throws IOException {
        return ProcessMark.parse(of.folder(id).processMark().orElseThrow())
                .flatMap(ProcessMark::pid)
                .orElseThrow();
    }

    private static void kill(long pid) throws InterruptedException {
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        assertThat(process.destroyForcibly()).isTrue();
        assertThat(new EngineProcesses(
                                new Engine.None(""),
                                new EngineCommand(new RunAs.Same(), LiveEngine.java(), true),
                                Instant::now)
                        .ended(process, Duration.ofSeconds(10)))
                .isTrue();
    }
}
