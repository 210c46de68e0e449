package io.pilothouse.server.backups;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.BackupProof;
import io.pilothouse.core.backup.BackupProof.Outcome;
import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.backup.Proving;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import io.pilothouse.testkit.PassGround;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups that are proven to be restorable, and what is written on them. */
class BackupProofTest {
    @TempDir
    private Path folder;

    private BackupWorld world;
    private final List<UUID> proven = new ArrayList<>();
    private final Set<UUID> known = new HashSet<>();
    private Proving.Ended end = Proving.Ended.restorable(3, 40);

    @BeforeEach
    void open() {
        world = new BackupWorld(folder);
    }

    @AfterEach
    void close() {
        world.close();
    }

    /** Makes backups as the world's do, and has a proof of each end as the test says. */
    private final class Proofs implements Backups {
        @Override
        public void begin(Service service, UUID backupId) throws PlaneFault {
            world.backups.begin(service, backupId);
        }

        @Override
        public Progress observe(UUID serviceId, UUID backupId) throws PlaneFault {
            return world.backups.observe(serviceId, backupId);
        }

        @Override
        public void drop(UUID serviceId, UUID backupId) throws PlaneFault {
            world.backups.drop(serviceId, backupId);
        }

        @Override
        public void prove(UUID serviceId, UUID backupId) {
            proven.add(backupId);
            known.add(backupId);
        }

        @Override
        public void forgetProof(UUID serviceId, UUID backupId) {
            known.remove(backupId);
        }

        @Override
        public Proving proving(UUID serviceId, UUID backupId) {
            return known.contains(backupId) ? end : new Proving.Idle();
        }
    }

    private Dispatcher engine() {
        return world.engine(PassGround.of(world.store(), world.time, Pace.USUAL), new Proofs(), Duration.ofDays(7));
    }

    private List<String> lines() {
        return world
                .store()
                .read(tables -> tables.of(Activity.KIND).pageBackwards(BackupWorld.ORGANIZATION, null, 9))
                .stream()
                .map(Activity::type)
                .toList();
    }

    /** What the alert on the age of backups goes by. */
    private Optional<UUID> lastGood() {
        Optional<Backup> found =
                world.store().read(tables -> tables.of(Backup.KIND).newestByLabel(BackupWorld.ORGANIZATION.toString()));
        return found.map(Backup::id);
    }

    @Test
    void theFirstBackupIsProvenAndWhatCameOfItIsWrittenOnIt() {
        UUID service = world.running();
        UUID backup = world.ask(service);

        world.settle(engine());

        BackupProof proof = Objects.requireNonNull(world.get(backup).proof());
        assertThat(proof.outcome()).isEqualTo(Outcome.RESTORABLE);
        assertThat(proof.rows()).isEqualTo(40);
        assertThat(proven).containsExactly(backup);
        assertThat(lines()).containsExactly("backup_prove");
    }

    @Test
    void aDamagedBackupIsNotTheLastGoodOneAndTheNextIsProven() {
        UUID service = world.running();
        UUID first = world.ask(service);
        end = Proving.Ended.damaged("Its file is not there any more.");
        Dispatcher engine = engine();
        world.settle(engine);
        assertThat(lines()).containsExactly("backup_prove_damaged");
        assertThat(lastGood()).isEmpty();

        end = Proving.Ended.restorable(3, 40);
        UUID second = world.ask(service);
        world.settle(engine);

        assertThat(proven).containsExactly(first, second);
        assertThat(lastGood()).contains(second);
    }

    @Test
    void theSameBackupIsReallyTriedAgainWhenItIsTime() {
        UUID service = world.running();
        UUID backup = world.ask(service);
        end = Proving.Ended.untried("There was no room.");
        Dispatcher engine = engine();
        world.settle(engine);
        world.sleep(service);
        end = Proving.Ended.restorable(3, 40);

        world.letPass(engine, Duration.ofHours(25));

        assertThat(proven).containsExactly(backup, backup);
        assertThat(lines()).containsExactly("backup_prove", "backup_prove_untried");
        assertThat(world.book.count(Outcome.UNTRIED)).isEqualTo(1);
        assertThat(world.book.count(Outcome.RESTORABLE)).isEqualTo(1);
    }
}
