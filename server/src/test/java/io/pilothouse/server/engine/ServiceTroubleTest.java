package io.pilothouse.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Kind;
import io.pilothouse.core.port.Tasks.Urgency;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.service.Wish;
import io.pilothouse.server.log.PassLog;
import io.pilothouse.testkit.FakePlane;
import io.pilothouse.testkit.FakePlane.Deed;
import io.pilothouse.testkit.SimTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of one service whose plane fails, and the view that its clients have of it. */
class ServiceTroubleTest {
    @TempDir
    private Path folder;

    private OneService one;
    private Fleet fleet;
    private FakePlane plane;
    private SimTime time;
    private UUID id;

    @BeforeEach
    void open() {
        one = new OneService(folder);
        fleet = one.fleet;
        plane = one.plane;
        time = one.time;
        id = one.id;
    }

    @AfterEach
    void close() {
        one.close();
    }

    @Test
    void removalThatFailsLosesNothingAndIsTriedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        one.handOver(made -> made.with(new ServiceFollower() {
            @Override
            public void removed(Tables tables, Service service, Instant now) {
                tables.tasks().wake(Kind.SERVICE, Fleet.id(7), Urgency.ROUTINE, time.now());
                if (attempts.incrementAndGet() < 3) {
                    throw new IllegalStateException("A bug in what hangs under it");
                }
            }
        }));
        fleet.create(id);
        fleet.wish(id, Wish.DELETE);
        one.turn();
        assertThat(attempts).hasValue(1);
        assertThat(one.state()).isEqualTo("terminating");
        one.letPass(Duration.ofSeconds(10));
        assertThat(attempts).hasValue(3);
        assertThat(one.state()).isEqualTo("gone");
    }

    @Test
    void failingStartBacksOffAndIsShownOnceItHasFailedOften() {
        List<Long> attempts = new ArrayList<>();
        Instant start = time.now();
        plane.trap((deed, service, done) -> {
            if (deed == Deed.START) {
                attempts.add(Duration.between(start, time.now()).toSeconds());
                throw new PlaneFault("No room for another database");
            }
        });
        fleet.create(id);
        one.letPass(Duration.ofSeconds(3));
        assertThat(one.state()).isEqualTo("provisioning");
        one.letPass(Duration.ofMinutes(5));
        assertThat(attempts).startsWith(0L, 0L, 2L, 5L, 11L, 23L, 47L, 95L, 185L);
        assertThat(one.state()).isEqualTo("failed");
        assertThat(fleet.get(id).seen().trouble()).isEqualTo("No room for another database");
        long version = fleet.get(id).version();
        one.letPass(Duration.ofMinutes(4));
        assertThat(fleet.get(id).version())
                .as("a row that says the same is not written")
                .isEqualTo(version);
        one.letPass(Duration.ofMinutes(2));
        assertThat(fleet.get(id).seen().trouble())
                .isEqualTo("It did not start within 10 minutes: No room for another database");
        plane.trap((deed, service, done) -> {});
        one.letPass(Duration.ofMinutes(5));
        assertThat(one.state()).isEqualTo("running");
        assertThat(fleet.get(id).seen().trouble()).isNull();
    }

    @Test
    void deadlineIsShownWhenItIsDueAndNotWhenTheNextTryHappensToBe() {
        FakePlane slow = new FakePlane(time, Duration.ofDays(1), Duration.ofSeconds(1));
        one.handOver(made -> made.with(slow));
        fleet.create(id);
        one.letPass(Duration.ofMinutes(10).minusSeconds(1));
        assertThat(one.state()).isEqualTo("provisioning");
        one.letPass(Duration.ofSeconds(1));
        assertThat(one.state()).isEqualTo("failed");
        assertThat(fleet.get(id).seen().trouble()).isEqualTo("It did not start within 10 minutes");
        int starts = slow.effects().size();
        one.letPass(Duration.ofMinutes(30));
        assertThat(slow.effects().size()).as("it goes on trying").isBetween(starts + 5, starts + 40);
    }

    @Test
    void stopThatDoesNotHappenShows() {
        FakePlane slow = new FakePlane(time, Duration.ZERO, Duration.ofDays(1));
        one.handOver(made -> made.with(slow));
        one.run();
        fleet.wish(id, Wish.STOP);
        one.letPass(Duration.ofMinutes(4));
        assertThat(one.state()).isEqualTo("stopping");
        one.letPass(Duration.ofMinutes(2));
        assertThat(one.state()).isEqualTo("degraded");
        assertThat(fleet.get(id).seen().trouble()).isEqualTo("It did not stop within 5 minutes");
    }

    @Test
    void complaintAboutAWishIsNotHeldAgainstTheNextOne() {
        fleet.create(id);
        time.advance(Duration.ofMinutes(11));
        plane.trap((deed, service, done) -> {
            if (deed == Deed.START) {
                fleet.wish(id, Wish.STOP);
                throw new PlaneFault("No room");
            }
        });
        Claim claim = fleet.store()
                .write(tables ->
                        tables.tasks().claim("two", time.now(), time.now().plusSeconds(20), 1))
                .getFirst();
        one.controlPlane.pass().run(claim);
        assertThat(one.state()).isEqualTo("stopping");
        assertThat(fleet.get(id).seen().trouble()).isNull();
    }

    @Test
    void aNewWishStartsOverWhateverFailedBefore() {
        plane.trap((deed, service, done) -> {
            if (deed == Deed.START) {
                throw new PlaneFault("No room");
            }
        });
        fleet.create(id);
        one.letPass(Duration.ofMinutes(20));
        assertThat(one.state()).isEqualTo("failed");
        fleet.wish(id, Wish.DELETE);
        one.letPass(Duration.ofSeconds(2));
        assertThat(one.state()).isEqualTo("gone");
    }

    @Test
    void databaseThatDiesIsDegradedAndBroughtBack() {
        one.run();
        plane.breakDown(id, "It was killed for want of memory");
        List<String> states = new ArrayList<>();
        for (int turn = 0;
                turn < 40 && !(states.contains("degraded") && one.state().equals("running"));
                turn++) {
            time.advanceTo(one.turn());
            if (states.isEmpty() || !states.getLast().equals(one.state())) {
                states.add(one.state());
            }
        }
        assertThat(states).containsExactly("running", "degraded", "starting", "running");
        assertThat(fleet.activities(id)).containsExactly("service_running", "service_running");
    }

    @Test
    void databaseThatKeepsDyingIsStartedEverLessOften() {
        one.run();
        Instant end = time.now().plus(Duration.ofMinutes(30));
        int startsBefore = plane.effects().size();
        plane.breakDown(id, "It fell over");
        while (time.now().isBefore(end)) {
            if (plane.condition(id) != Condition.BROKEN) {
                plane.breakDown(id, "It fell over");
            }
            time.advanceTo(one.turn());
        }
        assertThat(plane.effects().size() - startsBefore).isBetween(10, 40);
        assertThat(one.state()).isEqualTo("degraded");
    }

    @Test
    void anUnseenServiceKeepsItsStateUntilTheDeadline() {
        one.run();
        plane.trap((deed, service, done) -> {
            if (deed == Deed.OBSERVE) {
                throw new PlaneFault("The plane does not answer");
            }
        });
        one.letPass(Duration.ofMinutes(3));
        assertThat(one.state()).isEqualTo("running");
        one.letPass(Duration.ofMinutes(5));
        assertThat(one.state()).isEqualTo("degraded");
        assertThat(fleet.get(id).seen().trouble()).endsWith("The plane does not answer");
        assertThat(plane.effects()).as("nothing is done without a look").hasSize(1);
        plane.trap((deed, service, done) -> {});
        one.letPass(Duration.ofMinutes(3));
        assertThat(one.state()).isEqualTo("running");
    }

    @Test
    void bugInAPlaneIsAFaultOfThatServiceAlone() {
        plane.trap((deed, service, done) -> {
            if (service.id().equals(id) && (deed == Deed.START || time.now().getEpochSecond() % 2 == 1)) {
                throw new IllegalStateException("secret detail");
            }
        });
        UUID other = UUID.randomUUID();
        fleet.create(id);
        fleet.create(other);
        one.letPass(Duration.ofMinutes(11));
        assertThat(fleet.state(other)).isEqualTo("running");
        assertThat(one.state()).isEqualTo("failed");
        assertThat(fleet.get(id).seen().trouble())
                .endsWith("The data plane failed unexpectedly; the log has the details")
                .doesNotContain("secret");
    }

    @Test
    void bugInAPlaneIsLoggedSparingly() {
        AtomicInteger attempts = new AtomicInteger();
        plane.trap((deed, service, done) -> {
            if (deed == Deed.START && attempts.incrementAndGet() <= 4) {
                throw new IllegalStateException("secret detail");
            }
        });
        String line = "error The data plane failed unexpectedly; the log has the details (try %s): secret detail";
        try (PassLog log = new PassLog()) {
            fleet.create(id);
            one.letPass(Duration.ofMinutes(2));
            assertThat(log.failures()).containsExactly(line.formatted(1), line.formatted(2), line.formatted(4));
        }
        assertThat(one.state()).isEqualTo("running");
    }
}
