package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Backups.Progress;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import io.pilothouse.plane.local.process.ProcessMark;
import io.pilothouse.plane.local.process.ProcessTable;
import io.pilothouse.plane.local.share.DiskShares;
import io.pilothouse.testkit.PlaneContract;
import io.pilothouse.testkit.ServiceSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every data plane, kept by real databases; they outlive their control plane here, as it demands. */
class LocalPlaneIT extends PlaneContract {
    private static final Duration MAX_TEST = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    private long deadline;
    private ClickHouse.Bundled clickhouse;
    private LocalDatabases databases;
    private DatabaseBackups backups;
    private LocalPlane plane;

    @BeforeEach
    void open() throws DatabaseFailure, InterruptedException {
        clickhouse = LiveDatabase.require();
        deadline = System.nanoTime() + MAX_TEST.toNanos();
        connect();
    }

    @AfterEach
    void eraseAll() throws DatabaseFailure, InterruptedException {
        for (UUID id : databases.sweep(Set.of()).foldersKept()) {
            databases.erase(id);
        }
        databases.close();
    }

    private void connect() throws DatabaseFailure {
        databases = new LocalDatabases(LiveDatabase.setup(clickhouse, folder.resolve("services"), true));
        backups = new DatabaseBackups(databases, LiveDatabase.files(folder.resolve("backups")));
        plane = new LocalPlane(
                databases, backups, new LocalSettings(databases, folder.resolve("settings")), DiskShares.unlimited());
    }

    @Override
    protected DataPlane plane() {
        return plane;
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

    @Override
    protected Instant now() {
        return Instant.now();
    }

    @Override
    protected void restartControlPlane() {
        try {
            databases.close();
            connect();
        } catch (DatabaseFailure fault) {
            throw new AssertionError(fault);
        }
    }

    @Override
    protected void crash(Service service) {
        try {
            ProcessHandle process = ProcessMark.parse(
                            databases.folder(service.id()).processMark().orElseThrow())
                    .flatMap(ProcessMark::pid)
                    .flatMap(ProcessHandle::of)
                    .orElseThrow();
            assertThat(process.destroyForcibly()).isTrue();
            new ProcessTable().onExit(process).join();
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    @Override
    protected BackupOrigin backup(Service source) {
        UUID id = UUID.randomUUID();
        try {
            backups.begin(source.id(), id);
            while (!(backups.observe(source.id(), id) instanceof Progress.Finished)) {
                assertThat(letTimePass()).isTrue();
            }
        } catch (DatabaseFailure fault) {
            throw new AssertionError(fault);
        }
        return new BackupOrigin(source.id(), id);
    }

    @Test
    void dataThatIsNotWhereItWasIsLostUntilItIsBack() throws PlaneFault, IOException {
        Service fresh = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), now());
        Service ran = fresh.withSeen(new Seen(Condition.STOPPED, true, null, null, now()));
        Path data = databases.folder(ran.id()).data();
        assertThat(plane.observe(fresh).condition()).isEqualTo(Condition.ABSENT);
        assertThat(plane.observe(ran).condition()).isEqualTo(Condition.LOST);
        assertThat(plane.observe(ran.withWish(Wish.DELETE, now())).condition()).isEqualTo(Condition.ABSENT);

        // The folder of a disk that is mounted late is there, and empty.
        Files.createDirectories(data.getParent());
        assertThat(plane.observe(ran).condition()).isEqualTo(Condition.LOST);
        Files.createDirectories(data);
        assertThat(plane.observe(ran).condition()).isEqualTo(Condition.STOPPED);
    }
}
