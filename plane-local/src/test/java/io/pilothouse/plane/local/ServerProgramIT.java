package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveEngine.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a ClickHouse program is run and watched; its place is taken by a script, and its port by a plain HTTP server. */
class ServerProgramIT {
    private static final EngineSetup.Patience SHORT =
            new EngineSetup.Patience(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofSeconds(1));

    @TempDir
    Path folder;

    private final UUID id = UUID.randomUUID();
    private Path program;
    private LocalEngines engines;

    @BeforeEach
    void openPlane() throws IOException, EngineFault, InterruptedException {
        program = folder.resolve("clickhouse");
        engines = plane(new Engine.Binary(program, Optional.of("26.3.1")));
    }

    @AfterEach
    void closePlane() throws IOException, EngineFault, InterruptedException {
        engines.stop(id);
        engines.close();
    }

    @Test
    void serverIsGivenItsConfigurationAndNothingOfOurEnvironment()
            throws IOException, EngineFault, InterruptedException {
        script("echo \"$@\" > arguments; env > environment; exec sleep 60");

        assertThat(engines.start(id, settings("secret"))).isEqualTo(LocalEngines.Started.LAUNCHED);

        ServiceFolder service = engines.folder(id);
        await(service.userFiles().resolve("environment"));
        assertThat(service.userFiles().resolve("arguments")).hasContent("server --config-file=" + service.config());
        assertThat(Files.readAllLines(service.userFiles().resolve("environment")))
                .allMatch(line -> line.matches("(PATH|HOME|LANG|CLICKHOUSE_WATCHDOG_ENABLE|PWD|OLDPWD|SHLVL|_)=.*"));
        assertThat(engines.observe(id)).isEqualTo(new Sighting.Starting());
        assertThat(Files.getPosixFilePermissions(service.users()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.getPosixFilePermissions(service.data()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void serverThatDoesNotHeedTheSignalIsKilled() throws IOException, EngineFault, InterruptedException {
        script("trap '' TERM; echo up > up; while true; do sleep 0.1; done");
        engines.start(id, settings("secret"));
        await(engines.folder(id).userFiles().resolve("up"));

        engines.stop(id);

        assertThat(engines.observe(id)).isEqualTo(new Sighting.Stopped());
    }

    @Test
    void serverThatEndsSaysWhyWithoutItsQueries() throws IOException, EngineFault, InterruptedException {
        script(
                "echo 'Code: 210. DB::NetException: Address already in use (in query: secret) (version 26.3.1)'; exit 70");
        engines.start(id, settings("secret"));

        assertThat(settled())
                .isEqualTo(new Sighting.Broken("The engine ended by itself with status 70: Address already in use."));
        assertThatThrownBy(() -> engines.awaitAnswer(id, Duration.ofSeconds(5)))
                .isInstanceOf(EngineFault.class)
                .hasMessageContaining("Address already in use");
        engines.stop(id);
        assertThat(engines.observe(id)).isEqualTo(new Sighting.Stopped());
    }

    @Test
    void serverThatNeverAnswersIsBrokenAndStartedAnew() throws IOException, EngineFault, InterruptedException {
        script("exec sleep 60");
        engines.start(id, settings("secret"));
        assertThat(engines.awaitAnswer(id, Duration.ofMillis(100))).isEmpty();

        assertThat(settled()).isEqualTo(new Sighting.Broken("The engine runs and does not answer."));
        assertThat(engines.start(id, settings("secret"))).isEqualTo(LocalEngines.Started.RESTARTED);
        assertThat(engines.observe(id)).isEqualTo(new Sighting.Starting());
    }

    @Test
    void newSettingsReachARunningServerWithoutARestart() throws IOException, EngineFault, InterruptedException {
        script("exec sleep 60");
        engines.start(id, settings("secret"));
        int port = engines.folder(id).ports().orElseThrow().http();
        try (TinyHttpServer server = new TinyHttpServer(port, "26.3.1")) {
            EngineAddress address =
                    engines.awaitAnswer(id, Duration.ofSeconds(5)).orElseThrow();
            assertThat(address.capabilities()).isEqualTo(new Capabilities("26.3.1", false, false, false, true));
            assertThat(engines.address(id)).contains(address);

            assertThat(engines.start(id, settings("new"))).isEqualTo(LocalEngines.Started.CHANGED_WHILE_RUNNING);

            assertThat(server.questions()).contains("SYSTEM RELOAD CONFIG");
            assertThat(Files.readString(engines.folder(id).users()))
                    .contains(settings("new").password().sha256());
            assertThat(engines.observe(id))
                    .isEqualTo(new Sighting.Running(address, settings("new").fingerprint()));
        }
    }

    @Test
    void strangerOnThePortIsNotTakenForTheEngine() throws IOException, EngineFault, InterruptedException {
        script("exec sleep 60");
        engines.start(id, settings("secret"));
        int port = engines.folder(id).ports().orElseThrow().http();
        try (TinyHttpServer stranger = new TinyHttpServer(port, "")) {
            assertThatThrownBy(() -> engines.observe(id))
                    .isInstanceOf(EngineFault.class)
                    .hasMessageContaining("is not its engine");
            assertThat(stranger.questions()).contains("SELECT version()");
        }
    }

    @Test
    void missingProgramIsSaidInASentence() throws IOException, EngineFault, InterruptedException {
        assertThatThrownBy(() -> engines.start(id, settings("secret")))
                .isInstanceOf(EngineFault.class)
                .hasMessage("The engine is not at " + program + " any more.");
        assertThat(engines.observe(id)).isEqualTo(new Sighting.Stopped());
    }

    @Test
    void withoutAnyEngineTheReasonIsGiven() throws IOException, EngineFault, InterruptedException {
        try (LocalEngines none = new LocalEngines(
                LiveEngine.setup(new Engine.None("No ClickHouse was found."), folder.resolve("none"), false))) {
            assertThatThrownBy(() -> none.start(id, settings("secret")))
                    .isInstanceOf(EngineFault.class)
                    .hasMessage("No ClickHouse was found.");
        }
    }

    private LocalEngines plane(Engine engine) throws EngineFault {
        EngineSetup usual = LiveEngine.setup(engine, folder.resolve("services"), true);
        return new LocalEngines(new EngineSetup(
                engine,
                usual.root(),
                usual.ports(),
                usual.runAs(),
                usual.java(),
                true,
                SHORT,
                usual.clock(),
                usual.threads()));
    }

    private void script(String text) throws IOException {
        Files.writeString(program, "#!/bin/sh\n" + text + "\n", StandardCharsets.UTF_8);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Sighting settled() throws EngineFault, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        Sighting seen = engines.observe(id);
        while (seen instanceof Sighting.Starting && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(20);
            seen = engines.observe(id);
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
