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
import io.pilothouse.testkit.FakePlane;
import io.pilothouse.testkit.FakePlane.Deed;
import io.pilothouse.testkit.FakePlane.Effect;
import io.pilothouse.testkit.ServiceSample;
import io.pilothouse.testkit.SimTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of one service that its callers and other processes change at any moment. */
class ServicePassTest {
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

    private Claim claim() {
        return fleet.store()
                .write(tables ->
                        tables.tasks().claim("two", time.now(), time.now().plusSeconds(20), 1))
                .getFirst();
    }

    @Test
    void stateIsShownAsItIs() {
        fleet.create(id);
        assertThat(one.state()).isEqualTo("provisioning");
        one.letPass(Duration.ofSeconds(1));
        assertThat(one.state()).isEqualTo("provisioning");
        one.letPass(Duration.ofSeconds(2));
        assertThat(one.state()).isEqualTo("running");
        assertThat(fleet.get(id).seen().dbVersion()).isEqualTo(FakePlane.DB_VERSION);
        fleet.wish(id, Wish.STOP);
        assertThat(one.state()).isEqualTo("stopping");
        one.letPass(Duration.ofSeconds(2));
        assertThat(one.state()).isEqualTo("stopped");
        fleet.wish(id, Wish.RUN);
        one.letPass(Duration.ofSeconds(1));
        assertThat(one.state()).isEqualTo("starting");
        one.letPass(Duration.ofSeconds(2));
        fleet.wish(id, Wish.SLEEP);
        one.letPass(Duration.ofSeconds(2));
        assertThat(one.state()).isEqualTo("idle");
        fleet.wish(id, Wish.RUN);
        one.letPass(Duration.ofSeconds(1));
        assertThat(one.state()).isEqualTo("awaking");
        one.letPass(Duration.ofSeconds(2));
        fleet.wish(id, Wish.DELETE);
        assertThat(one.state()).isEqualTo("terminating");
        one.letPass(Duration.ofSeconds(2));
        assertThat(one.state()).isEqualTo("gone");
        assertThat(fleet.hasNoTask()).isTrue();
        assertThat(fleet.activities(id))
                .containsExactly("service_running", "service_running", "service_idle", "service_running");
    }

    @Test
    void effectsAreAsFewAsCanBe() {
        one.run();
        fleet.wish(id, Wish.STOP);
        one.letPass(Duration.ofSeconds(3));
        fleet.wish(id, Wish.DELETE);
        one.letPass(Duration.ofSeconds(3));
        assertThat(plane.effects()).extracting(Effect::deed).containsExactly(Deed.START, Deed.STOP, Deed.ERASE);
    }

    @Test
    void activityOfTheEngineIsSignedBySystem() {
        one.run();
        assertThat(fleet.history(id)).singleElement().satisfies(line -> {
            assertThat(line.actorType()).isEqualTo("system");
            assertThat(line.organizationId()).isEqualTo(Fleet.ORGANIZATION);
            assertThat(line.actorId()).isNull();
            assertThat(line.requestId()).isNull();
        });
    }

    @Test
    void looksAtWhatRestsGetRareAndWriteNothingButTheTask() {
        one.run();
        long version = fleet.get(id).version();
        int looks = plane.looks(id);
        one.letPass(Duration.ofMinutes(10));
        assertThat(plane.looks(id)).isBetween(looks + 3, looks + 5);
        assertThat(fleet.get(id).version()).isEqualTo(version);
        assertThat(fleet.activities(id)).hasSize(1);
    }

    @Test
    void changeReachesARunningServiceWithoutItBeingCalledAnythingElse() {
        one.run();
        fleet.change(id, row -> ServiceSample.withMysql(row, true));
        for (int turn = 0; turn < 20; turn++) {
            assertThat(one.state()).isEqualTo("running");
            time.advanceTo(one.turn());
        }
        assertThat(plane.effects()).extracting(Effect::deed).containsExactly(Deed.START, Deed.START);
        assertThat(fleet.backlog().unsettled()).isZero();
    }

    @Test
    void serviceChangedWhileItIsProvisionedIsNotCalledRunningUntilItFits() {
        fleet.create(id);
        one.letPass(Duration.ofSeconds(1));
        plane.trap((deed, service, done) -> {
            if (deed == Deed.START) {
                throw new PlaneFault("Busy");
            }
        });
        fleet.change(id, row -> ServiceSample.withMysql(row, true));
        one.letPass(Duration.ofSeconds(10));
        assertThat(plane.condition(id)).isEqualTo(Condition.RUNNING);
        assertThat(one.state()).isEqualTo("provisioning");
        plane.trap((deed, service, done) -> {});
        one.letPass(Duration.ofMinutes(1));
        assertThat(one.state()).isEqualTo("running");
    }

    @Test
    void wishThatChangesDuringAPassIsKeptAndActedUponAtOnce() {
        one.run();
        plane.trap((deed, service, done) -> {
            if (deed == Deed.STOP && done) {
                fleet.wish(id, Wish.RUN);
            }
        });
        fleet.wish(id, Wish.STOP);
        one.turn();
        assertThat(fleet.get(id).wish()).isEqualTo(Wish.RUN);
        assertThat(one.state()).as("a service just ordered to stop").isEqualTo("starting");
        plane.trap((deed, service, done) -> {});
        one.letPass(Duration.ofSeconds(6));
        assertThat(one.state()).isEqualTo("running");
        assertThat(plane.condition(id)).isEqualTo(Condition.RUNNING);
    }

    @Test
    void deletionThatComesDuringAPassIsKept() {
        plane.trap((deed, service, done) -> {
            if (deed == Deed.START && done && service.wish() == Wish.RUN) {
                fleet.wish(id, Wish.DELETE);
            }
        });
        fleet.create(id);
        one.letPass(Duration.ofSeconds(5));
        assertThat(one.state()).isEqualTo("gone");
        assertThat(plane.condition(id)).isEqualTo(Condition.ABSENT);
    }

    @Test
    void passThatLostItsLeaseChangesNothing() {
        one.run();
        fleet.wish(id, Wish.STOP);
        Claim old = claim();
        time.advance(Duration.ofSeconds(21));
        Claim current = claim();
        Service before = fleet.get(id);
        one.controlPlane.pass().run(old);
        assertThat(fleet.get(id)).isEqualTo(before);
        assertThat(fleet.activities(id)).hasSize(1);
        one.controlPlane.pass().run(current);
        assertThat(fleet.get(id).seen().condition()).isEqualTo(Condition.STOPPING);
    }

    @Test
    void passThatLostItsLeaseRemovesNothing() {
        fleet.create(id);
        fleet.wish(id, Wish.DELETE);
        Claim old = claim();
        time.advance(Duration.ofSeconds(21));
        claim();
        one.controlPlane.pass().run(old);
        assertThat(one.state()).isEqualTo("terminating");
    }

    @Test
    void taskWithoutAServiceEnds() {
        fleet.store().write(tables -> {
            tables.tasks().wake(Kind.SERVICE, id, Urgency.NEW, time.now());
            return id;
        });
        one.turn();
        assertThat(fleet.hasNoTask()).isTrue();
        assertThat(plane.effects()).isEmpty();
    }

    @Test
    void removalTakesWhatHangsUnderTheServiceInTheSameTransaction() {
        one.handOver(made -> made.with(new ServiceFollower() {
            @Override
            public void removed(Tables tables, Service service, Instant now) {
                tables.tasks().wake(Kind.SERVICE, Fleet.id(7), Urgency.ROUTINE, time.now());
            }
        }));
        one.run();
        fleet.wish(id, Wish.DELETE);
        one.letPass(Duration.ofSeconds(3));
        assertThat(one.state()).isEqualTo("gone");
        assertThat(fleet.hasNoTask()).isTrue();
    }
}
