package io.pilothouse.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Archive;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.BackupsOfService;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceSleep;
import io.pilothouse.core.service.Wish;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disuse puts to sleep and use wakes, and neither overrules a caller's wish. */
class ServiceSleepTest {
    @TempDir
    private Path folder;

    private final AtomicInteger nudges = new AtomicInteger();
    private OneService one;
    private ServiceSleep rest;

    @BeforeEach
    void open() {
        one = new OneService(folder);
        rest = new ServiceSleep(one.fleet.store(), one.time, new BackupsOfService(), nudges::incrementAndGet);
    }

    @AfterEach
    void close() {
        one.close();
    }

    private void wish(Wish wish) {
        one.fleet.store().write(tables -> {
            Service row = tables.of(Service.KIND).find(one.id).orElseThrow();
            return tables.of(Service.KIND).overwrite(row.withWish(wish, one.time.now()));
        });
    }

    @Test
    void runningServiceFallsAsleepAndWakesAgain() {
        one.run();
        assertThat(rest.sleep(one.id))
                .hasValueSatisfying(row -> assertThat(row.wish()).isEqualTo(Wish.SLEEP));
        one.letPass(Duration.ofSeconds(5));
        assertThat(one.state()).isEqualTo("idle");

        assertThat(rest.wake(one.id))
                .hasValueSatisfying(row -> assertThat(row.wish()).isEqualTo(Wish.RUN));
        assertThat(one.state()).isEqualTo("awaking");
        one.letPass(Duration.ofSeconds(5));
        assertThat(one.state()).isEqualTo("running");
        assertThat(nudges).hasValue(2);
    }

    @Test
    void serviceThatIsOnItsWayIsNotPutToSleep() {
        one.fleet.create(one.id);
        assertThat(rest.sleep(one.id)).isEmpty();
        assertThat(nudges).hasValue(0);
    }

    @Test
    void serviceThatIsBeingBackedUpIsNotPutToSleepFromTheMomentItWasAskedFor() {
        one.run();
        Backup asked = one.fleet.store().write(tables -> {
            Service row = tables.of(Service.KIND).find(one.id).orElseThrow();
            return tables.of(Backup.KIND)
                    .insert(Backup.of(row, UUID.randomUUID(), Backup.Trigger.DEMAND, one.time.now()));
        });
        assertThat(rest.sleep(one.id)).isEmpty();
        assertThat(nudges).hasValue(0);

        one.fleet
                .store()
                .write(tables ->
                        tables.of(Backup.KIND).replace(asked.done(Archive.of(7), one.time.now()), asked.version()));
        assertThat(rest.sleep(one.id)).isPresent();
    }

    @Test
    void knockingAtAStoppedServiceStartsNothing() {
        one.run();
        wish(Wish.STOP);
        assertThat(rest.sleep(one.id)).isEmpty();
        assertThat(rest.wake(one.id))
                .hasValueSatisfying(row -> assertThat(row.wish()).isEqualTo(Wish.STOP));
        assertThat(nudges).hasValue(0);
    }

    @Test
    void knockingAtAServiceThatIsThoughtToRunHasItLookedAt() {
        one.run();
        assertThat(rest.wake(one.id)).isPresent();
        assertThat(nudges).hasValue(1);
    }

    @Test
    void knockingAtAServiceThatStartsLeavesItItsOwnPace() {
        one.fleet.create(one.id);
        assertThat(rest.wake(one.id)).isPresent();
        assertThat(nudges).hasValue(0);
    }

    @Test
    void aDeletedServiceNeitherSleepsNorWakes() {
        UUID missing = UUID.randomUUID();
        assertThat(rest.sleep(missing)).isEmpty();
        assertThat(rest.wake(missing)).isEmpty();
        rest.look(missing);
        assertThat(nudges).hasValue(0);
    }
}
