package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveDatabase.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.port.ProcessLimits;
import io.pilothouse.plane.local.bundled.Egress;
import io.pilothouse.plane.local.bundled.Fences;
import io.pilothouse.plane.local.process.ProcessMark;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a ClickHouse program is run and watched; its place is taken by a script, and its port by a plain HTTP server. */
class ServerProgramIT {
    private static final DatabaseSetup.Patience SHORT =
            new DatabaseSetup.Patience(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofSeconds(1));

    @TempDir
    Path folder;

    private final UUID id = UUID.randomUUID();
    private final List<String> held = new CopyOnWriteArrayList<>();
    private final ProcessLimits limits = new ProcessLimits() {
        @Override
        public void hold(String name, long pid, Share share) {
            held.add(name + " " + pid + " " + share);
        }

        @Override
        public void forget(String name) {
            held.add(name + " forgotten");
        }
    };
    private Path program;
    private LocalDatabases databases;

    @BeforeEach
    void openPlane() throws IOException, DatabaseFailure, InterruptedException {
        program = folder.resolve("clickhouse");
        databases = plane(new ClickHouse.Binary(program, Optional.of("26.3.1")));
    }

    @AfterEach
    void closePlane() throws IOException, DatabaseFailure, InterruptedException {
        databases.stop(id);
        databases.close();
    }

    @Test
    void serverIsGivenItsConfigurationAndNothingOfOurEnvironment()
            throws IOException, DatabaseFailure, InterruptedException {
        script("echo \"$@\" > arguments; env > environment; exec sleep 60");

        assertThat(databases.start(id, settings("secret"))).isEqualTo(LocalDatabases.Started.LAUNCHED);

        ServiceFolder service = databases.folder(id);
        await(service.userFiles().resolve("environment"));
        assertThat(service.userFiles().resolve("arguments")).hasContent("server --config-file=" + service.config());
        assertThat(Files.readAllLines(service.userFiles().resolve("environment")))
                .allMatch(line -> line.matches("(PATH|HOME|LANG|CLICKHOUSE_WATCHDOG_ENABLE|PWD|OLDPWD|SHLVL|_)=.*"));
        assertThat(databases.observe(id)).isEqualTo(new DatabaseSeen.Starting());
        assertThat(Files.getPosixFilePermissions(service.users()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.getPosixFilePermissions(service.data()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void serverThatDoesNotHeedTheSignalIsKilled() throws IOException, DatabaseFailure, InterruptedException {
        script("trap '' TERM; echo up > up; while true; do sleep 0.1; done");
        databases.start(id, settings("secret"));
        await(databases.folder(id).userFiles().resolve("up"));

        databases.stop(id);

        assertThat(databases.observe(id)).isEqualTo(new DatabaseSeen.Stopped());
    }

    @Test
    void serverThatEndsSaysWhyWithoutItsQueries() throws IOException, DatabaseFailure, InterruptedException {
        script(
                "echo 'Code: 210. DB::NetException: Address already in use (in query: secret) (version 26.3.1)'; exit 70");
        databases.start(id, settings("secret"));

        assertThat(settled())
                .isEqualTo(new DatabaseSeen.Broken(
                        "The database ended by itself with status 70: Address already in use."));
        assertThatThrownBy(() -> databases.awaitAnswer(id, Duration.ofSeconds(5)))
                .isInstanceOf(DatabaseFailure.class)
                .hasMessageContaining("Address already in use");
        databases.stop(id);
        assertThat(databases.observe(id)).isEqualTo(new DatabaseSeen.Stopped());
    }

    @Test
    void serverThatNeverAnswersIsBrokenAndRestarted() throws IOException, DatabaseFailure, InterruptedException {
        script("exec sleep 60");
        databases.start(id, settings("secret"));
        assertThat(databases.awaitAnswer(id, Duration.ofMillis(100))).isEmpty();

        assertThat(settled()).isEqualTo(new DatabaseSeen.Broken("The database runs and does not answer."));
        assertThat(databases.start(id, settings("secret"))).isEqualTo(LocalDatabases.Started.RESTARTED);
        assertThat(databases.observe(id)).isEqualTo(new DatabaseSeen.Starting());
    }

    @Test
    void newSettingsReachARunningServerWithoutARestart() throws IOException, DatabaseFailure, InterruptedException {
        script("exec sleep 60");
        databases.start(id, settings("secret"));
        int port = databases.folder(id).ports().orElseThrow().http();
        try (TinyHttpServer server = new TinyHttpServer(port, "26.3.1")) {
            DatabaseAddress address =
                    databases.awaitAnswer(id, Duration.ofSeconds(5)).orElseThrow();
            assertThat(address.capabilities()).isEqualTo(new Capabilities("26.3.1", false, false, false, true));
            assertThat(databases.address(id)).contains(address);

            assertThat(databases.start(id, settings("new"))).isEqualTo(LocalDatabases.Started.CHANGED_WHILE_RUNNING);

            assertThat(server.questions()).contains("SYSTEM RELOAD CONFIG");
            assertThat(Files.readString(databases.folder(id).users()))
                    .contains(settings("new").password().sha256());
            assertThat(databases.observe(id))
                    .isEqualTo(new DatabaseSeen.Running(address, databases.fingerprint(settings("new"))));
        }
    }

    @Test
    void strangerOnThePortIsNotTakenForTheDatabase() throws IOException, DatabaseFailure, InterruptedException {
        script("exec sleep 60");
        databases.start(id, settings("secret"));
        int port = databases.folder(id).ports().orElseThrow().http();
        try (TinyHttpServer stranger = new TinyHttpServer(port, "")) {
            assertThatThrownBy(() -> databases.observe(id))
                    .isInstanceOf(DatabaseFailure.class)
                    .hasMessageContaining("is not its database");
            assertThat(stranger.questions()).contains("SELECT version()");
        }
    }

    @Test
    void missingProgramIsSaidInASentence() throws IOException, DatabaseFailure, InterruptedException {
        assertThatThrownBy(() -> databases.start(id, settings("secret")))
                .isInstanceOf(DatabaseFailure.class)
                .hasMessage("ClickHouse is not at " + program + " any more.");
        assertThat(databases.observe(id)).isEqualTo(new DatabaseSeen.Stopped());
    }

    @Test
    void withoutAnyDatabaseTheReasonIsGiven() throws IOException, DatabaseFailure, InterruptedException {
        try (LocalDatabases none = new LocalDatabases(
                LiveDatabase.setup(new ClickHouse.None("No ClickHouse was found."), folder.resolve("none"), false))) {
            assertThatThrownBy(() -> none.start(id, settings("secret")))
                    .isInstanceOf(DatabaseFailure.class)
                    .hasMessage("No ClickHouse was found.");
        }
    }

    @Test
    void processIsHeldToItsMemoryFromItsStartToItsEnd() throws IOException, DatabaseFailure, InterruptedException {
        script("exec sleep 60");
        databases.start(id, settings("secret"));

        long pid = ProcessMark.parse(databases.folder(id).processMark().orElseThrow())
                .flatMap(ProcessMark::pid)
                .orElseThrow();
        String begun = id + " " + pid + " " + ProcessLimits.Share.byMemory(LiveDatabase.MEMORY + (384L << 20));
        assertThat(held).containsExactly(begun);
        databases.stop(id);
        assertThat(held).containsExactly(begun, id + " forgotten");
    }

    @Test
    void programIsFencedWhereFilesAndPortsCanBeHeldAndAScriptIsNot() throws IOException {
        script("exit 0");
        Fences all = new Fences(true, true, true);
        assertThat(fenced(Path.of("/bin/cat"), all).isFenced()).isTrue();
        assertThat(fenced(Path.of("/bin/cat"), all).gaps())
                .singleElement()
                .asString()
                .contains("nothing holds it to addresses");
        assertThat(fenced(Path.of("/bin/cat"), new Fences(true, false, true)).isFenced())
                .isFalse();
        assertThat(fenced(program, all).isFenced()).isFalse();
        assertThat(fenced(program, all).gaps()).singleElement().asString().contains("has no fence around it");
    }

    private DatabaseSetup fenced(Path clickhouse, Fences fences) {
        return LiveDatabase.setup(
                new ClickHouse.Binary(clickhouse, Optional.empty()), folder, false, Egress.PUBLIC, fences);
    }

    private LocalDatabases plane(ClickHouse clickhouse) throws DatabaseFailure {
        DatabaseSetup usual = LiveDatabase.setup(clickhouse, folder.resolve("services"), true);
        return new LocalDatabases(new DatabaseSetup(
                clickhouse,
                usual.root(),
                usual.ports(),
                usual.users(),
                usual.java(),
                usual.egress(),
                // A script starts other programs.
                Fences.NONE,
                usual.budget(),
                limits,
                true,
                SHORT,
                usual.clock(),
                usual.threads()));
    }

    private void script(String text) throws IOException {
        Files.writeString(program, "#!/bin/sh\n" + text + "\n", StandardCharsets.UTF_8);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private DatabaseSeen settled() throws DatabaseFailure, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        DatabaseSeen seen = databases.observe(id);
        while (seen instanceof DatabaseSeen.Starting && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(20);
            seen = databases.observe(id);
        }
        return seen;
    }

    private static void await(Path file) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!Files.exists(file) || List.of().equals(Files.readAllLines(file))) {
            assertThat(System.nanoTime()).as("waiting for " + file).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }
}
