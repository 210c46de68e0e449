package io.pilothouse.server.backups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.backup.Archive;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.BackupChange;
import io.pilothouse.core.backup.BackupChange.Part;
import io.pilothouse.core.backup.BackupOperations;
import io.pilothouse.core.backup.BackupView;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Refused.Reason;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.port.Page;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.Service;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Refusals because of the plane or of what is there already, and a list that takes several pages. */
class BackupRefusalsTest {
    @TempDir
    private Path folder;

    private BackupWorld world;
    private BackupOperations operations;
    private UUID service;

    private final Permit permit = new Caller(
                    BackupWorld.ORGANIZATION, UUID.randomUUID(), "key", Set.of(Permission.SERVICE_WRITE))
            .permit(Permission.SERVICE_WRITE, UUID.randomUUID());

    @BeforeEach
    void open() {
        world = new BackupWorld(folder);
        operations = new BackupOperations(world.store(), world.time, world.backups::refusal, () -> {});
        service = world.running();
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void create() {
        world.store().write(operations.create(permit, service, new Faults())::write);
    }

    private void refused(Reason reason, String words) {
        assertThatExceptionOfType(Refused.class)
                .isThrownBy(this::create)
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(reason))
                .withMessageContaining(words);
    }

    @Test
    void whatTheEngineCannotDoIsABadRequestWithItsReason() {
        world.backups.refuse("This engine makes no backups");
        refused(Reason.BAD_REQUEST, "This engine makes no backups");
        world.backups.refuse(null);
        create();
    }

    private void fill(int count) {
        world.store().write(tables -> {
            for (int i = 0; i < count; i++) {
                Backup row = Backup.of(
                        tables.of(Service.KIND).find(service).orElseThrow(),
                        UUID.randomUUID(),
                        Backup.Trigger.DEMAND,
                        world.time.now().plusNanos(i));
                tables.of(Backup.KIND).insert(row.done(Archive.of(i), world.time.now()));
            }
            return count;
        });
    }

    @Test
    void aServiceHasSoManyBackupsAndNoMore() {
        fill(RuleBook.MAX_BACKUPS);
        refused(Reason.CONFLICT, "A service has at most 1000 backups");
    }

    @Test
    void aListOfSeveralPagesIsAnsweredWhole() {
        fill(5);
        List<Long> sizes = new ArrayList<>();
        Table.Cursor cursor = null;
        do {
            Page<BackupView> page = operations.page(permit, service, cursor, 2);
            page.items().forEach(view -> sizes.add(view.backup().sizeInBytes()));
            cursor = page.next();
        } while (cursor != null);
        assertThat(sizes).containsExactly(4L, 3L, 2L, 1L, 0L);
    }

    @Test
    void aCallerThatIsFasterThanTheScheduleWins() {
        Dispatcher engine = world.engine();
        world.settle(engine);
        world.time.advance(Duration.ofDays(1));
        AtomicInteger writes = new AtomicInteger();
        world.settle(world.engine(where -> {
            // The first write of a turn claims the task, the second records what became of it.
            if (where.equals("before write") && writes.incrementAndGet() == 2) {
                create();
            }
        }));
        assertThat(world.of(service))
                .extracting(Backup::trigger)
                .as("one after the other")
                .containsExactly(Backup.Trigger.SCHEDULE, Backup.Trigger.DEMAND);
        assertThat(world.backups.kept()).hasSize(2);
    }

    @Test
    void aChangeThatChangesNothingWakesNoTask() {
        world.settle(world.engine());
        BackupChange nothing = new BackupChange(Part.absent(), Part.absent(), Part.absent());
        operations.updateConfiguration(permit, service, nothing, Precondition.none(), new Faults());
        assertThat(world.settled()).isTrue();
        BackupChange sooner = new BackupChange(Part.of(6.0), Part.absent(), Part.absent());
        operations.updateConfiguration(permit, service, sooner, Precondition.none(), new Faults());
        assertThat(world.settled()).isFalse();
        assertThat(operations.configuration(permit, service).periodHours()).isEqualTo(6);
    }
}
