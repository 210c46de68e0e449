package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of engines whose control plane is killed. */
class ControlPlaneDeathIT {
    private static final String PASSWORD = "correct horse battery staple";

    @TempDir
    Path folder;

    private final UUID id = UUID.randomUUID();
    private final ProcessTable processes = new ProcessTable();
    private Engine.Bundled engine;
    private @Nullable Process controlPlane;

    @BeforeEach
    void findEngine() throws InterruptedException {
        engine = LiveEngine.require();
    }

    @AfterEach
    void endControlPlane() {
        if (controlPlane != null) {
            controlPlane.destroyForcibly();
        }
    }

    @Test
    void engineEndsWithItsKilledControlPlaneAndKeepsItsData() throws IOException, EngineFault, InterruptedException {
        runControlPlane("end");
        ProcessHandle database = database();

        killControlPlane();

        processes.onExit(database).orTimeout(30, TimeUnit.SECONDS).join();
        try (LocalEngines next = new LocalEngines(LiveEngine.setup(engine, folder, false))) {
            assertThat(next.observe(id)).isEqualTo(new Sighting.Stopped());
            EngineAddress address = LiveEngine.started(next, id, LiveEngine.settings(PASSWORD));
            assertThat(LiveEngine.value(address, PASSWORD, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void nextControlPlaneNeedNotWaitForTheEndOfTheLastOnesEngines()
            throws IOException, EngineFault, InterruptedException {
        runControlPlane("end");
        killControlPlane();

        try (LocalEngines next = new LocalEngines(LiveEngine.setup(engine, folder, false))) {
            EngineAddress address = LiveEngine.started(next, id, LiveEngine.settings(PASSWORD));
            assertThat(LiveEngine.value(address, PASSWORD, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void keptEngineSurvivesItsKilledControlPlaneAndIsTakenOver() throws IOException, EngineFault, InterruptedException {
        runControlPlane("keep");
        ProcessHandle database = database();

        killControlPlane();

        try (LocalEngines next = new LocalEngines(LiveEngine.setup(engine, folder, true))) {
            assertThat(next.observe(id)).isInstanceOf(Sighting.Running.class);
            assertThat(next.start(id, LiveEngine.settings(PASSWORD))).isEqualTo(LocalEngines.Started.RAN_ALREADY);
            assertThat(database().pid()).isEqualTo(database.pid());
            next.erase(id);
        }
        assertThat(processes.isAlive(database)).isFalse();
    }

    @Test
    void secondControlPlaneOnTheSameFolderIsRefused() throws IOException, EngineFault, InterruptedException {
        runControlPlane("end");

        assertThatThrownBy(() -> new LocalEngines(LiveEngine.setup(engine, folder, false)))
                .isInstanceOf(EngineFault.class)
                .hasMessageContaining("Another control plane");
    }

    private void runControlPlane(String lifeline) throws IOException {
        Process started = new ProcessBuilder(
                        LiveEngine.java().program().toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ControlPlaneProcess.class.getName(),
                        engine.library().toString(),
                        folder.toString(),
                        id.toString(),
                        PASSWORD,
                        lifeline)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        controlPlane = started;
        BufferedReader words =
                new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
        assertThat(words.readLine()).startsWith("running ");
    }

    private void killControlPlane() throws InterruptedException {
        assertThat(Objects.requireNonNull(controlPlane).destroyForcibly().waitFor(10, TimeUnit.SECONDS))
                .isTrue();
    }

    private ProcessHandle database() throws IOException {
        ServiceFolder service = new ServiceFolder(folder, id);
        return ProcessHandle.of(ProcessMark.parse(service.processMark().orElseThrow())
                        .flatMap(ProcessMark::pid)
                        .orElseThrow())
                .orElseThrow();
    }
}
