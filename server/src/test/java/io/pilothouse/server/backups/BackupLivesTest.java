package io.pilothouse.server.backups;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.Backup.State;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Wish;
import io.pilothouse.testkit.KillSwitch;
import io.pilothouse.testkit.Killed;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupLivesTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    private Path folder;

    private BackupWorld world;

    @BeforeEach
    void open() {
        world = new BackupWorld(folder);
    }

    @AfterEach
    void close() {
        world.close();
    }

    private State state(UUID backupId) {
        return world.get(backupId).state();
    }

    @Test
    void aRequestedBackupIsMadeAndCounted() {
        Dispatcher engine = world.engine();
        UUID service = world.running();
        world.settle(engine);
        UUID backup = world.ask(service);
        world.settle(engine);
        Backup made = world.get(backup);
        assertThat(made.state()).isEqualTo(State.DONE);
        assertThat(made.sizeInBytes()).isEqualTo(7);
        assertThat(made.endedAt()).isAfter(made.createdAt());
        assertThat(world.backups.kept()).containsExactly(backup);
    }

    @Test
    void aRunningServiceIsBackedUpOnceADayAndOldBackupsGo() {
        Dispatcher engine = world.engine();
        UUID service = world.running();
        world.letPass(engine, DAY.minus(HOUR));
        assertThat(world.of(service)).isEmpty();
        world.letPass(engine, HOUR.plus(HOUR));
        assertThat(world.describe(service)).isEqualTo("SCHEDULE DONE 7 | 1");
        UUID first = world.of(service).getFirst().id();
        world.letPass(engine, DAY.multipliedBy(10));
        assertThat(world.describe(service)).isEqualTo("SCHEDULE DONE 7 | 1");
        assertThat(world.of(service).getFirst().id()).isNotEqualTo(first);
        world.configure(service, 6, 24);
        world.letPass(engine, DAY.multipliedBy(3));
        assertThat(world.of(service)).hasSizeBetween(4, 5).hasSameSizeAs(world.backups.kept());
    }

    @Test
    void aSleepingServiceIsNeitherWokenNorLeftWithoutItsLastBackup() {
        Dispatcher engine = world.engine();
        UUID service = world.running();
        world.letPass(engine, DAY.plus(HOUR));
        UUID last = world.of(service).getFirst().id();
        world.sleep(service);
        world.letPass(engine, DAY.multipliedBy(30));
        assertThat(world.of(service)).extracting(Backup::id).containsExactly(last);
        world.wakeUp(service);
        world.settle(engine);
        assertThat(world.of(service)).as("what was missed is made up for").isNotEmpty();
        assertThat(world.backups.kept()).hasSize(1).doesNotContain(last);
    }

    @Test
    void anInterruptedBackupIsBegunAgain() {
        Dispatcher engine = world.engine();
        UUID service = world.running();
        UUID backup = world.ask(service);
        engine.turn();
        world.backups.interrupt();
        assertThat(world.backups.kept()).isEmpty();
        world.settle(engine);
        assertThat(state(backup)).isEqualTo(State.DONE);
    }

    @Test
    void aBackupThatCannotBeMadeSaysWhyAndLeavesNothing() {
        Dispatcher engine = world.engine();
        UUID service = world.running();
        world.backups.fail("This engine cannot copy that table");
        UUID backup = world.ask(service);
        world.settle(engine);
        assertThat(world.get(backup).trouble()).isEqualTo("This engine cannot copy that table");
        assertThat(world.describe(service)).isEqualTo("DEMAND CLEARED 0 | 0");
    }

    @Test
    void aMissedDeadlineIsShown() {
        Dispatcher engine = world.engine();
        UUID service = world.running();
        world.settle(engine);
        world.backups.breakDown("Nobody answers");
        UUID backup = world.ask(service);
        world.letPass(engine, Duration.ofMinutes(9));
        assertThat(state(backup)).isEqualTo(State.IN_PROGRESS);
        world.letPass(engine, Duration.ofMinutes(1));
        assertThat(state(backup)).isEqualTo(State.FAILED);
        assertThat(world.get(backup).trouble()).isEqualTo("It was not finished within 10 minutes: Nobody answers");
        world.backups.breakDown(null);
        world.settle(engine);
        assertThat(state(backup)).isEqualTo(State.CLEARED);
    }

    @Test
    void whereNoneIsPossibleNoneIsScheduled() {
        Dispatcher engine = world.engine();
        UUID service = world.running();
        world.backups.refuse("This engine has no backups");
        world.letPass(engine, DAY.multipliedBy(8));
        assertThat(world.of(service)).isEmpty();
    }

    @Test
    void aDeletedServiceKeepsItsBackupsForAsLongAsItWanted() {
        Dispatcher engine = world.engine();
        UUID service = world.running();
        UUID whole = world.ask(service);
        world.settle(engine);
        world.configure(service, 24, 48);
        world.settle(engine);
        UUID half = world.ask(service);
        engine.turn();
        world.change(service, row -> row.withWish(Wish.DELETE, world.time.now()));
        world.remove(service);
        world.settle(engine);
        assertThat(world.of(service)).extracting(Backup::id).containsExactly(whole);
        assertThat(world.backups.kept()).containsExactly(whole).doesNotContain(half);
        world.letPass(engine, DAY.plus(HOUR));
        assertThat(world.backups.kept()).containsExactly(whole);
        world.letPass(engine, DAY);
        assertThat(world.of(service)).isEmpty();
        assertThat(world.backups.kept()).isEmpty();
        assertThat(world.hasTasks()).isFalse();
    }

    @Test
    void aBackupStaysWhileAServiceStillBeginsWithIt() {
        Dispatcher engine = world.engine();
        UUID service = world.running();
        UUID backup = world.ask(service);
        world.settle(engine);
        UUID restored = world.restoring(backup);
        world.remove(service);
        world.letPass(engine, DAY.multipliedBy(3));
        assertThat(world.backups.kept()).containsExactly(backup);
        world.change(restored, row -> row.withSeen(new Seen(Condition.RUNNING, true, null, null, world.time.now())));
        world.letPass(engine, HOUR.plus(HOUR));
        assertThat(world.backups.kept()).isEmpty();
    }

    @Test
    void aBackupWhoseRestoreBeginsMeanwhileDoesNotLeave() {
        UUID service = world.running();
        UUID backup = world.ask(service);
        world.settle(world.engine());
        world.remove(service);
        world.time.advance(DAY.plus(HOUR));
        List<UUID> restored = new ArrayList<>();
        // Between the decision that it has outlived its time and the moment in which that is written down.
        AtomicInteger writes = new AtomicInteger();
        Dispatcher engine = world.engine(where -> {
            // The first write of a turn claims the task, the second records what became of it.
            if (where.equals("before write") && writes.incrementAndGet() == 2) {
                restored.add(world.restoring(backup));
            }
        });
        world.settle(engine);
        assertThat(restored).hasSize(1);
        assertThat(state(backup)).isEqualTo(State.DONE);
        assertThat(world.backups.kept()).containsExactly(backup);
    }

    /** A life with everything in it; what it shows at every rest must not depend on where the process died. */
    private List<String> live(BackupWorld lived, KillSwitch kill) {
        List<String> story = new ArrayList<>();
        UUID service = lived.running();
        lived.configure(service, 24, 48);
        rest(lived, kill, Duration.ZERO, story, service);
        lived.ask(service);
        rest(lived, kill, Duration.ZERO, story, service);
        rest(lived, kill, DAY.plus(HOUR), story, service);
        lived.backups.fail("No");
        lived.ask(service);
        rest(lived, kill, Duration.ZERO, story, service);
        lived.backups.fail(null);
        rest(lived, kill, DAY.plus(HOUR), story, service);
        lived.ask(service);
        lived.change(service, row -> row.withWish(Wish.DELETE, lived.time.now()));
        rest(lived, kill, Duration.ZERO, story, service);
        lived.remove(service);
        rest(lived, kill, Duration.ZERO, story, service);
        rest(lived, kill, DAY.multipliedBy(3), story, service);
        assertThat(lived.hasTasks()).isFalse();
        return story;
    }

    private static void rest(BackupWorld lived, KillSwitch kill, Duration pause, List<String> story, UUID service) {
        Instant end = lived.time.now().plus(pause);
        boolean alive = false;
        while (!alive) {
            try {
                Dispatcher engine = lived.engine(kill::pass);
                if (end.isAfter(lived.time.now())) {
                    lived.letPass(engine, Duration.between(lived.time.now(), end));
                }
                lived.settle(engine);
                alive = true;
            } catch (Killed e) {
                alive = false;
            }
        }
        story.add(lived.describe(service));
    }

    @Test
    void theLifeOfBackupsIsTheSameWhereverTheProcessDies() {
        KillSwitch none = new KillSwitch(Set.of());
        List<String> story = live(world, none);
        assertThat(story)
                .containsExactly(
                        " | 0",
                        "DEMAND DONE 7 | 1",
                        "SCHEDULE DONE 7, DEMAND DONE 7 | 2",
                        "DEMAND CLEARED 0, SCHEDULE DONE 7, DEMAND DONE 7 | 2",
                        "SCHEDULE DONE 7, DEMAND CLEARED 0, SCHEDULE DONE 7 | 2",
                        "SCHEDULE DONE 7, DEMAND CLEARED 0, SCHEDULE DONE 7 | 2",
                        "SCHEDULE DONE 7, DEMAND CLEARED 0, SCHEDULE DONE 7 | 2",
                        " | 0");
        int points = none.passed().size();
        assertThat(points).isGreaterThan(50);
        for (int point = 1; point <= points; point++) {
            KillSwitch kill = new KillSwitch(Set.of(point));
            assertThat(live(world.next(), kill))
                    .as("killed at %s, %s", point, none.passed().get(point - 1))
                    .isEqualTo(story);
        }
    }
}
