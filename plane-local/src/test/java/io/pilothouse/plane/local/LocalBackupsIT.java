package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import io.pilothouse.testkit.BackupsContract;
import io.pilothouse.testkit.ServiceSample;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract of backups, kept by a real database. */
class LocalBackupsIT extends BackupsContract {
    private static final Duration LONGEST_TEST = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final Service service = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH);
    private long deadline;
    private LocalEngines engines;
    private LocalBackups backups;

    @BeforeEach
    void open() throws EngineFault, InterruptedException {
        engines = new LocalEngines(LiveEngine.setup(LiveEngine.require(), folder.resolve("services"), false));
        deadline = System.nanoTime() + LONGEST_TEST.toNanos();
        backups = new LocalBackups(new EngineBackups(engines, folder.resolve("backups")));
    }

    @AfterEach
    void close() throws EngineFault {
        engines.close();
    }

    @Override
    protected Backups backups() {
        return backups;
    }

    @Override
    protected Service running() throws PlaneFault {
        new LocalPlane(engines, new EngineBackups(engines, folder.resolve("backups"))).start(service);
        try {
            assertThat(engines.awaitAnswer(service.id(), LONGEST_TEST)).isPresent();
        } catch (EngineFault fault) {
            throw new PlaneFault(String.valueOf(fault.getMessage()), fault);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return service;
    }

    @Override
    protected boolean letTimePass() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
        return System.nanoTime() < deadline;
    }
}
