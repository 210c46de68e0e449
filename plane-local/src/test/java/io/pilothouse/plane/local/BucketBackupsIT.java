package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveDatabase.await;
import static io.pilothouse.plane.local.LiveDatabase.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.backup.Backups.Progress;
import io.pilothouse.core.backup.BucketAccess;
import io.pilothouse.core.backup.BucketLocation;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Service;
import io.pilothouse.plane.local.share.DiskShares;
import io.pilothouse.testkit.S3Server;
import io.pilothouse.testkit.ServiceSample;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a real database in a bucket of a real server that speaks S3. */
class BucketBackupsIT {
    @TempDir
    Path folder;

    private final Service source = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH);
    private final UUID backup = UUID.randomUUID();
    private S3Server server;
    private LocalDatabases databases;
    private LocalBackups backups;
    private LocalPlane plane;
    private Optional<BucketAccess> place = Optional.empty();

    @BeforeEach
    void open() throws DatabaseFailure, IOException, InterruptedException {
        databases = new LocalDatabases(LiveDatabase.setup(LiveDatabase.require(), folder.resolve("services"), false));
        server = S3Server.start(folder.resolve("s3"));
        place = Optional.of(bucket(S3Server.BUCKET));
        restart();
    }

    @AfterEach
    void close() throws DatabaseFailure {
        if (server != null) {
            server.close();
        }
        databases.close();
    }

    /** As after a start of the control plane, which remembers nothing. */
    private void restart() {
        DatabaseBackups kept = new DatabaseBackups(
                databases, LiveDatabase.files(folder.resolve("backups"), _ -> place, Optional.empty()));
        backups = new LocalBackups(kept);
        plane = new LocalPlane(
                databases, kept, new LocalSettings(databases, folder.resolve("settings")), DiskShares.unlimited());
    }

    private BucketAccess bucket(String name) {
        return bucket(name, S3Server.KEY_ID, S3Server.SECRET);
    }

    private BucketAccess bucket(String name, String keyId, String secret) {
        return new BucketAccess.S3(
                new BucketLocation(URI.create(server.address()), name, "nightly", null),
                new BucketAccess.Login.Key(keyId, secret, null));
    }

    private Progress backUp() throws PlaneFault, DatabaseFailure, InterruptedException {
        plane.start(source);
        await(() -> plane.observe(source).condition() == Condition.RUNNING);
        ask(source, "CREATE TABLE IF NOT EXISTS t (x UInt64) ENGINE = MergeTree ORDER BY x");
        ask(source, "INSERT INTO t SELECT number FROM numbers(1000)");
        backups.begin(source, backup);
        return ended();
    }

    private Progress ended() throws PlaneFault, DatabaseFailure, InterruptedException {
        await(() -> !(backups.observe(source.id(), backup) instanceof Progress.UnderWay));
        return backups.observe(source.id(), backup);
    }

    private String ask(Service service, String sql) throws DatabaseFailure {
        return LiveDatabase.ask(databases, service, sql);
    }

    private Service beginning() {
        return ServiceSample.beginningWith(
                ServiceSample.wanted(UUID.randomUUID(), source.organizationId(), Instant.EPOCH),
                new BackupOrigin(source.id(), backup));
    }

    /** Without the list of what a backup holds, which stays for its proof. */
    private List<Path> filesHere() throws IOException {
        Path kept = folder.resolve("backups");
        if (Files.notExists(kept)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(kept)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".parts"))
                    .toList();
        }
    }

    @Test
    void aBackupGoesToItsBucketAndComesBackWithEqualRows()
            throws PlaneFault, DatabaseFailure, IOException, InterruptedException {
        Progress progress = backUp();
        assertThat(progress)
                .isInstanceOfSatisfying(
                        Progress.Finished.class,
                        done -> assertThat(done.archive().bytes()).isPositive());
        assertThat(server.objects()).containsExactly("nightly/" + source.id() + "/" + backup + ".tar.gz");
        assertThat(filesHere()).as("what is left on this machine").isEmpty();
        restart();
        assertThat(backups.observe(source.id(), backup))
                .as("what its store says of it")
                .isInstanceOf(Progress.Finished.class);

        plane.leave(source.id(), backup);
        assertThat(plane.left()).containsExactly(Map.entry(source.id(), backup));
        assertThatThrownBy(() -> plane.start(source))
                .as("a start of one that has left")
                .isInstanceOf(PlaneFault.class)
                .hasMessageContaining("It went to another host");
        plane.remain(source.id());
        await(() -> step(plane, source).fits());

        plane.erase(source);
        Service target = beginning();
        await(() -> step(plane, target).fits());
        assertThat(ask(target, "SELECT count(), sum(x) FROM t FORMAT TSV")).isEqualTo("1000\t499500");
        assertThat(filesHere()).as("what is left of the restore").isEmpty();
    }

    @Test
    void credentialsAreNotLeftInTheFilesOfTheDatabase()
            throws PlaneFault, DatabaseFailure, IOException, InterruptedException {
        place = Optional.of(bucket(S3Server.BUCKET, S3Server.KEY_ID, "secret-that-must-not-be-found"));
        backUp();
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile).filter(BucketBackupsIT::namesTheSecret))
                    .isEmpty();
        }
    }

    private static boolean namesTheSecret(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).contains("secret-that-must-not-be-found");
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void wrongCredentialsEndItWithASentence() throws PlaneFault, DatabaseFailure, IOException, InterruptedException {
        place = Optional.of(bucket(S3Server.BUCKET, "NOBODY", "wrong"));
        assertThat(backUp())
                .isEqualTo(new Progress.Failed(
                        "The bucket cannot be used: the credentials are not accepted (InvalidAccessKeyId)"));
        place = Optional.of(bucket(S3Server.BUCKET));
        backups.drop(source.id(), backup);
        assertThat(filesHere()).isEmpty();
        assertThat(backups.observe(source.id(), backup)).isEqualTo(new Progress.Unknown());
    }

    @Test
    void aMissingBucketEndsItWithASentence() throws PlaneFault, DatabaseFailure, InterruptedException {
        place = Optional.of(bucket("nowhere"));
        assertThat(backUp()).isEqualTo(new Progress.Failed("The bucket cannot be used: it does not exist"));
        backups.drop(source.id(), backup);
    }

    @Test
    void aControlPlaneThatIsStoppedWhileItSendsGoesOnAfterwards()
            throws PlaneFault, DatabaseFailure, IOException, InterruptedException {
        place = Optional.of(bucket(S3Server.BUCKET, "NOBODY", "wrong"));
        backUp();
        place = Optional.of(bucket(S3Server.BUCKET));
        restart();
        assertThat(ended()).isInstanceOf(Progress.Finished.class);
        assertThat(server.objects()).hasSize(1);
    }

    @Test
    void aDroppedBackupIsDeletedFromItsBucket() throws PlaneFault, DatabaseFailure, IOException, InterruptedException {
        backUp();
        backups.drop(source.id(), backup);
        assertThat(server.objects()).isEmpty();
        assertThat(backups.observe(source.id(), backup)).isEqualTo(new Progress.Unknown());
        backups.drop(source.id(), backup);
    }

    @Test
    void aBucketThatDoesNotAnswerKeepsABackupFromBeingForgotten()
            throws PlaneFault, DatabaseFailure, InterruptedException {
        backUp();
        server.close();
        assertThatThrownBy(() -> backups.drop(source.id(), backup))
                .isInstanceOf(PlaneFault.class)
                .hasMessage("The backup cannot be deleted from its bucket: 127.0.0.1 does not answer");
    }

    @Test
    void aRestoreSaysWhyItsBackupCannotBeFetchedAndGoesOnWhenItCan()
            throws PlaneFault, DatabaseFailure, InterruptedException {
        backUp();
        place = Optional.of(bucket(S3Server.BUCKET, "NOBODY", "wrong"));
        Service target = beginning();
        String[] said = {""};
        await(() -> {
            try {
                step(plane, target);
            } catch (PlaneFault fault) {
                said[0] = String.valueOf(fault.getMessage());
            }
            return !said[0].isEmpty();
        });
        assertThat(said[0])
                .isEqualTo("The backup cannot be fetched. The bucket cannot be used:"
                        + " the credentials are not accepted (InvalidAccessKeyId).");
        place = Optional.of(bucket(S3Server.BUCKET));
        await(() -> step(plane, target).fits());
        assertThat(ask(target, "SELECT count() FROM t FORMAT TSV")).isEqualTo("1000");
    }
}
