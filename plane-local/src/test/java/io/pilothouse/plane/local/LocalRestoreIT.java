package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveDatabase.await;
import static io.pilothouse.plane.local.LiveDatabase.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.backup.Backups.Progress;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane.Sight;
import io.pilothouse.core.service.Service;
import io.pilothouse.gateway.GatewayProtocol;
import io.pilothouse.gateway.GatewayReach;
import io.pilothouse.plane.local.share.DiskShares;
import io.pilothouse.testkit.ServiceSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that begins with a backup: not said to run before it holds it, and no worse for one that cannot be had. */
class LocalRestoreIT {
    @TempDir
    Path folder;

    private final Service source = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH);
    private final UUID backup = UUID.randomUUID();
    private final Service target = ServiceSample.beginningWith(
            ServiceSample.wanted(UUID.randomUUID(), source.organizationId(), Instant.EPOCH),
            new BackupOrigin(source.id(), backup));
    private LocalDatabases databases;
    private DatabaseBackups backups;
    private LocalPlane plane;

    @BeforeEach
    void open() throws DatabaseFailure, InterruptedException {
        databases = new LocalDatabases(LiveDatabase.setup(LiveDatabase.require(), folder.resolve("services"), false));
        backups = new DatabaseBackups(databases, LiveDatabase.files(folder.resolve("backups")));
        plane = new LocalPlane(
                databases, backups, new LocalSettings(databases, folder.resolve("settings")), DiskShares.unlimited());
    }

    @AfterEach
    void close() throws DatabaseFailure {
        databases.close();
    }

    private void backUp() throws PlaneFault, DatabaseFailure, InterruptedException {
        plane.start(source);
        await(() -> plane.observe(source).condition() == Condition.RUNNING);
        ask(source, "CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
        ask(source, "INSERT INTO t SELECT number FROM numbers(1000)");
        backups.begin(source.id(), backup);
        await(() -> backups.observe(source.id(), backup) instanceof Progress.Finished);
    }

    private String ask(Service service, String sql) throws DatabaseFailure {
        return LiveDatabase.ask(databases, service, sql);
    }

    @Test
    void serviceRunsOnceItHoldsTheBackupAndNotBefore() throws DatabaseFailure, InterruptedException, PlaneFault {
        backUp();
        await(() -> {
            Sight sight = step(plane, target);
            return sight.condition() == Condition.RUNNING && sight.fits();
        });
        assertThat(ask(target, "SELECT sum(x) FROM t")).isEqualTo("499500");

        // From here on the backup is history: the data is the service's own.
        ask(target, "TRUNCATE TABLE t");
        backups.erase(source.id(), backup);
        plane.stop(target);
        plane.start(target);
        await(() -> plane.observe(target).fits());
        assertThat(ask(target, "SELECT count() FROM t")).isEqualTo("0");
    }

    @Test
    void missingBackupIsReportedInASentence() throws DatabaseFailure, InterruptedException, PlaneFault {
        plane.start(target);
        await(() -> plane.observe(target).condition() == Condition.RUNNING);
        assertThat(plane.observe(target).fits()).isFalse();
        assertThatThrownBy(() -> plane.start(target))
                .isInstanceOf(PlaneFault.class)
                .hasMessage("The backup " + backup + " is not there any more.");
    }

    @Test
    void damagedBackupBreaksTheNewServiceAndNothingElse()
            throws DatabaseFailure, IOException, InterruptedException, PlaneFault {
        backUp();
        Path kept = folder.resolve("backups").resolve(source.id().toString()).resolve(backup + ".tar.gz");
        damage(kept);
        await(() -> step(plane, target).condition() == Condition.BROKEN);
        assertThat(plane.observe(target).fault())
                .startsWith("The backup cannot be restored: ")
                .endsWith(".");
        assertThat(plane.observe(source).condition()).isEqualTo(Condition.RUNNING);
        assertThat(ask(source, "SELECT sum(x) FROM t")).isEqualTo("499500");
        assertThat(kept).exists();
    }

    @Test
    void noClientIsLetInBeforeTheBackupIsRestored() throws DatabaseFailure, InterruptedException, PlaneFault {
        plane.start(target);
        await(() -> plane.observe(target).condition() == Condition.RUNNING);
        LocalDoorDatabases behindDoors = new LocalDoorDatabases(
                databases, backups, new LocalBackups(backups), new LocalOwnDatabases(databases, backups));
        assertThat(behindDoors.look(target, GatewayProtocol.HTTPS)).isEqualTo(new GatewayReach.Asleep());
        assertThat(behindDoors.reach(target, GatewayProtocol.HTTPS)).isEqualTo(new GatewayReach.Asleep());
        assertThat(behindDoors.isBusy(target.id())).isFalse();
    }

    private static void damage(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        for (int i = bytes.length / 3; i < bytes.length / 3 + 200 && i < bytes.length; i++) {
            bytes[i] ^= 0x5a;
        }
        Files.write(file, bytes);
    }
}
