package io.pilothouse.server.backups;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Backup.State;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.server.log.PassLog;
import io.pilothouse.testkit.CallThreads;
import io.pilothouse.testkit.PassGround;
import io.pilothouse.testkit.WatchedBackups;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups whose plane hangs, fails in ways it does not declare, or forgets them. */
class BackupTroubleTest {
    private static final String UNEXPECTED = "The data plane failed unexpectedly; the log has the details";

    @TempDir
    private Path folder;

    private BackupWorld world;
    private final PassLog log = new PassLog();
    private final CallThreads threads = new CallThreads();
    private final AtomicInteger begins = new AtomicInteger();

    @BeforeEach
    void open() {
        world = new BackupWorld(folder);
    }

    @AfterEach
    void close() throws InterruptedException {
        log.close();
        threads.letGo();
        world.close();
    }

    @Test
    void aBackupThatHangsIsShownAskedNothingMoreAndTriedAgain() throws InterruptedException {
        Dispatcher engine = world.engine(
                PassGround.of(world.store(), world.time, threads), new WatchedBackups(world.backups, moment -> {
                    if (moment.equals("before begin") && begins.incrementAndGet() == 1) {
                        threads.hang();
                    }
                }));
        UUID backup = world.ask(world.running());
        engine.turn();
        assertThat(world.get(backup).trouble()).startsWith("The data plane did not answer within");
        world.time.advance(Duration.ofSeconds(5));
        engine.turn();
        assertThat(world.get(backup).trouble()).isEqualTo("The data plane has not come back from an earlier call");
        assertThat(begins).hasValue(1);
        threads.letGo();
        world.settle(engine);
        assertThat(world.get(backup).state()).isEqualTo(State.DONE);
    }

    @Test
    void aBugInWhatMakesBackupsIsShownLoggedSparinglyAndTriedAgain() {
        Dispatcher engine = world.engine(moment -> {
            if (moment.equals("before begin") && begins.incrementAndGet() <= 8) {
                throw new IllegalStateException("secret detail");
            }
        });
        UUID backup = world.ask(world.running());
        engine.turn();
        assertThat(world.get(backup).trouble()).isEqualTo(UNEXPECTED);
        world.settle(engine);
        assertThat(world.get(backup).state()).isEqualTo(State.DONE);
        assertThat(log.failures())
                .containsExactly(
                        "error " + UNEXPECTED + " (try 1): secret detail",
                        "error " + UNEXPECTED + " (try 2): secret detail",
                        "error " + UNEXPECTED + " (try 4): secret detail",
                        "error " + UNEXPECTED + " (try 8): secret detail");
    }

    @Test
    void aBackupThatIsForgottenEachTimeIsBegunEverLessOften() {
        Dispatcher engine = world.engine(moment -> {
            if (moment.equals("after begin")) {
                begins.incrementAndGet();
                world.backups.interrupt();
            }
        });
        UUID backup = world.ask(world.running());
        world.letPass(engine, Duration.ofMinutes(9));
        assertThat(world.get(backup).state()).isEqualTo(State.IN_PROGRESS);
        assertThat(begins).hasValueBetween(5, 20);
    }
}
