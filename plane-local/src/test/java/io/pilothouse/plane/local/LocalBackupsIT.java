package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import io.pilothouse.plane.local.share.DiskShares;
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
    private static final Duration MAX_TEST = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final Service service = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH);
    private long deadline;
    private LocalDatabases databases;
    private LocalBackups backups;

    @BeforeEach
    void open() throws DatabaseFailure, InterruptedException {
        databases = new LocalDatabases(LiveDatabase.setup(LiveDatabase.require(), folder.resolve("services"), false));
        deadline = System.nanoTime() + MAX_TEST.toNanos();
        backups = new LocalBackups(new DatabaseBackups(databases, LiveDatabase.files(folder.resolve("backups"))));
    }

    @AfterEach
    void close() throws DatabaseFailure {
        databases.close();
    }

    @Override
    protected Backups backups() {
        return backups;
    }

    @Override
    protected Service running() throws PlaneFault {
        new LocalPlane(
                        databases,
                        new DatabaseBackups(databases, LiveDatabase.files(folder.resolve("backups"))),
                        new LocalSettings(databases, folder.resolve("settings")),
                        DiskShares.unlimited())
                .start(service);
        try {
            assertThat(databases.awaitAnswer(service.id(), MAX_TEST)).isPresent();
        } catch (DatabaseFailure fault) {
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
