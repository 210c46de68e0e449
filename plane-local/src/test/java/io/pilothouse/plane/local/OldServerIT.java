package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveEngine.query;
import static io.pilothouse.plane.local.LiveEngine.settings;
import static io.pilothouse.plane.local.LiveEngine.started;
import static io.pilothouse.plane.local.LiveEngine.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.plane.local.disk.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same life on the old ClickHouse server that some distributions ship, where it is installed. */
class OldServerIT {
    private static final Path PROGRAM = Path.of("/usr/sbin/clickhouse-server");

    @TempDir
    Path folder;

    private final UUID id = UUID.randomUUID();
    private LocalEngines engines;

    @BeforeEach
    void openPlane() throws EngineFault {
        Assumptions.assumeTrue(
                Files.isExecutable(PROGRAM),
                "This machine has no clickhouse-server of Debian; CONTRIBUTING.md says how to have it.");
        engines = new LocalEngines(
                LiveEngine.setup(new Engine.Binary(PROGRAM, Optional.empty()), folder.resolve("services"), false));
    }

    @AfterEach
    void closePlane() throws EngineFault {
        if (engines != null) {
            engines.close();
        }
    }

    @Test
    void dataSurvivesAStopAndAKill() throws IOException, EngineFault, InterruptedException {
        EngineAddress address = started(engines, id, settings("secret"));
        value(address, "secret", "CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
        value(address, "secret", "INSERT INTO t SELECT number FROM numbers(1000)");
        engines.stop(id);
        assertThat(engines.observe(id)).isEqualTo(new Sighting.Stopped());
        EngineAddress again = started(engines, id, settings("secret"));
        assertThat(again.ports()).isEqualTo(address.ports());

        ProcessHandle process = ProcessMark.parse(
                        engines.folder(id).processMark().orElseThrow())
                .flatMap(ProcessMark::pid)
                .flatMap(ProcessHandle::of)
                .orElseThrow();
        assertThat(process.destroyForcibly()).isTrue();
        new ProcessTable().onExit(process).orTimeout(10, TimeUnit.SECONDS).join();

        assertThat(value(started(engines, id, settings("secret")), "secret", "SELECT count() FROM t"))
                .isEqualTo("1000");
    }

    @Test
    void newPasswordTakesEffectWithoutARestart() throws IOException, EngineFault, InterruptedException {
        EngineAddress address = started(engines, id, settings("secret"));

        assertThat(engines.start(id, settings("another one"))).isEqualTo(LocalEngines.Started.CHANGED_WHILE_RUNNING);

        assertThat(value(address, "another one", "SELECT 1")).isEqualTo("1");
        assertThat(query(address, "secret", "SELECT 1").statusCode()).isNotEqualTo(200);
    }

    @Test
    void whatItCannotDoIsKnown() throws EngineFault, InterruptedException {
        EngineAddress address = started(engines, id, settings("secret"));

        assertThat(address.capabilities().version()).startsWith("18.");
        assertThat(address.nativeProtocol()).hasValue(address.ports().nativeProtocol());
        assertThat(address.mysql()).isEmpty();
        EngineBackups backups = new EngineBackups(engines, folder.resolve("backups"));
        assertThatThrownBy(() -> backups.begin(id, UUID.randomUUID()))
                .isInstanceOf(EngineFault.class)
                .hasMessageContaining("can neither back up nor restore");
    }

    @Test
    void secondServerOnTheSameDataSaysWhyItEnds() throws IOException, EngineFault, InterruptedException {
        started(engines, id, settings("secret"));
        UUID other = UUID.randomUUID();
        ServiceFolder second = engines.folder(other);
        started(engines, other, settings("secret"));
        engines.stop(other);
        Folders.delete(second.data());
        Files.createSymbolicLink(second.data(), engines.folder(id).data());

        engines.start(other, settings("secret"));

        assertThatThrownBy(() -> engines.awaitAnswer(other, Duration.ofSeconds(30)))
                .isInstanceOf(EngineFault.class)
                .hasMessageContaining("Cannot lock file");
    }
}
