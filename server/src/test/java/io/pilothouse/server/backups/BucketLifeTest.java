package io.pilothouse.server.backups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.Backup.State;
import io.pilothouse.core.backup.BackupBucket;
import io.pilothouse.core.backup.BucketAccess;
import io.pilothouse.core.backup.BucketsOfService;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.TreeBytes;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.secret.VaultKeys;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bucket's row is kept for as long as a backup needs its credentials, and a backup that it will not give up is forgotten. */
class BucketLifeTest {
    @TempDir
    private Path folder;

    private final Vault vault = new Vault(VaultKeys.generate(new SecureRandom()), new SecureRandom());
    private BackupWorld world;
    private Dispatcher engine;

    @BeforeEach
    void open() {
        world = new BackupWorld(folder);
        engine = world.engine();
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void set(UUID serviceId) {
        UUID id = UUID.randomUUID();
        Tree.Members fields = Tree.Members.NONE
                .with("bucketProvider", new Tree.Text("GCP"))
                .with("bucketPath", new Tree.Text("gs://ours"))
                .with("accessKeyId", new Tree.Text("GOOG1"));
        Tree.Members secrets = Tree.Members.NONE.with("secretAccessKey", new Tree.Text("hidden"));
        String sealed = vault.seal(TreeBytes.write(secrets), BackupBucket.secretsContext(id));
        world.store()
                .write(tables -> tables.of(BackupBucket.KIND)
                        .insert(new BackupBucket(
                                Head.of(id, serviceId, world.time.now()),
                                BackupWorld.ORGANIZATION,
                                true,
                                fields,
                                sealed)));
    }

    private List<BackupBucket> buckets() {
        return world.store().read(tables -> tables.of(BackupBucket.KIND).all(null, 10));
    }

    /** By its schedule, which asks for the bucket as a caller's wish does. */
    private Backup scheduled(UUID serviceId) {
        world.letPass(engine, Duration.ofHours(25));
        return world.of(serviceId).getFirst();
    }

    @Test
    void aScheduledBackupGoesToTheBucketAndItsPlaceOpens() throws PlaneFault {
        UUID service = world.running();
        set(service);
        Backup backup = scheduled(service);
        BucketsOfService places = new BucketsOfService(world.store(), vault);
        assertThat(places.of(backup.id()))
                .get()
                .isInstanceOfSatisfying(
                        BucketAccess.S3.class,
                        access -> assertThat(access.login())
                                .isEqualTo(new BucketAccess.Login.Key("GOOG1", "hidden", null)));
        assertThat(places.of(UUID.randomUUID())).isEmpty();
        Vault other = new Vault(VaultKeys.generate(new SecureRandom()), new SecureRandom());
        assertThatThrownBy(() -> new BucketsOfService(world.store(), other).of(backup.id()))
                .isInstanceOf(PlaneFault.class)
                .hasMessage("The credentials of the backup's bucket cannot be opened");
    }

    @Test
    void theBucketOfADeletedServiceGoesWithItsLastBackup() {
        UUID service = world.running();
        set(service);
        assertThat(scheduled(service).state()).isEqualTo(State.DONE);
        world.remove(service);
        assertThat(buckets()).singleElement().matches(bucket -> !bucket.current());
        world.letPass(engine, Duration.ofHours(26));
        assertThat(world.of(service)).isEmpty();
        assertThat(world.backups.kept()).isEmpty();
        assertThat(buckets()).isEmpty();
    }

    @Test
    void aBucketWithoutBackupsGoesWithItsService() {
        UUID service = world.running();
        set(service);
        world.remove(service);
        assertThat(buckets()).isEmpty();
    }

    @Test
    void aBackupThatItsBucketDoesNotLetGoOfIsForgottenAfterAWeek() {
        UUID service = world.running();
        set(service);
        scheduled(service);
        world.remove(service);
        world.letPass(engine, Duration.ofHours(20));
        world.backups.breakDown("The backup cannot be deleted from its bucket");
        world.letPass(engine, Duration.ofHours(6));
        world.time.advance(Duration.ofDays(6));
        engine.turn();
        assertThat(world.of(service)).singleElement().matches(left -> left.state() == State.LEAVING);
        world.time.advance(Duration.ofDays(1));
        world.letPass(engine, Duration.ofMinutes(10));
        assertThat(world.of(service)).isEmpty();
        assertThat(buckets()).isEmpty();
        assertThat(world.hasTasks()).isFalse();
    }
}
