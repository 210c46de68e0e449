package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.plane.local.process.ProcessMark;
import io.pilothouse.plane.local.process.ProcessTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases whose control plane is killed. */
class ControlPlaneDeathIT {
    private static final String PASSWORD = "correct horse battery staple";

    @TempDir
    Path folder;

    private final UUID id = UUID.randomUUID();
    private final ProcessTable processes = new ProcessTable();
    private ClickHouse.Bundled clickhouse;
    private @Nullable Process controlPlane;

    @BeforeEach
    void findDatabase() throws InterruptedException {
        // As the other process names it, which is given no version.
        clickhouse = new ClickHouse.Bundled(LiveDatabase.require().library(), Optional.empty());
    }

    @AfterEach
    void endControlPlane() {
        if (controlPlane != null) {
            controlPlane.destroyForcibly();
        }
    }

    @Test
    void databaseEndsWithItsKilledControlPlaneAndKeepsItsData()
            throws IOException, DatabaseFailure, InterruptedException {
        runControlPlane("end");
        ProcessHandle database = database();

        killControlPlane();

        processes.onExit(database).orTimeout(30, TimeUnit.SECONDS).join();
        try (LocalDatabases next = new LocalDatabases(LiveDatabase.setup(clickhouse, folder, false))) {
            assertThat(next.observe(id)).isEqualTo(new DatabaseSeen.Stopped());
            DatabaseAddress address = LiveDatabase.started(next, id, LiveDatabase.settings(PASSWORD));
            assertThat(LiveDatabase.value(address, PASSWORD, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void nextControlPlaneNeedNotWaitForTheEndOfTheLastOnesDatabases()
            throws IOException, DatabaseFailure, InterruptedException {
        runControlPlane("end");
        killControlPlane();

        try (LocalDatabases next = new LocalDatabases(LiveDatabase.setup(clickhouse, folder, false))) {
            DatabaseAddress address = LiveDatabase.started(next, id, LiveDatabase.settings(PASSWORD));
            assertThat(LiveDatabase.value(address, PASSWORD, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void keptDatabaseSurvivesItsKilledControlPlaneAndIsTakenOver()
            throws IOException, DatabaseFailure, InterruptedException {
        runControlPlane("keep");
        ProcessHandle database = database();

        killControlPlane();

        try (LocalDatabases next = new LocalDatabases(LiveDatabase.setup(clickhouse, folder, true))) {
            assertThat(next.observe(id)).isInstanceOf(DatabaseSeen.Running.class);
            assertThat(next.start(id, LiveDatabase.settings(PASSWORD))).isEqualTo(LocalDatabases.Started.RAN_ALREADY);
            assertThat(database().pid()).isEqualTo(database.pid());
            next.erase(id);
        }
        assertThat(processes.isAlive(database)).isFalse();
    }

    @Test
    void secondControlPlaneOnTheSameFolderIsRefused() throws IOException, DatabaseFailure, InterruptedException {
        runControlPlane("end");
        ProcessHandle database = database();

        assertThatThrownBy(() -> new LocalDatabases(LiveDatabase.setup(clickhouse, folder, false)))
                .isInstanceOf(DatabaseFailure.class)
                .hasMessageContaining("Another control plane");

        // Its folder can be deleted only once nothing writes there.
        killControlPlane();
        processes.onExit(database).orTimeout(30, TimeUnit.SECONDS).join();
    }

    private void runControlPlane(String lifeline) throws IOException {
        Process started = new ProcessBuilder(
                        LiveDatabase.java().program().toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ControlPlaneProcess.class.getName(),
                        clickhouse.library().toString(),
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
