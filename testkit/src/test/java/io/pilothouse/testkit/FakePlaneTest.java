package io.pilothouse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Service;
import io.pilothouse.testkit.FakePlane.Deed;
import io.pilothouse.testkit.FakePlane.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The fake plane keeps the contract of planes, and answers the questions of tests. */
class FakePlaneTest extends PlaneContract {
    private final SimTime time = new SimTime();
    private final FakePlane plane = new FakePlane(time, Duration.ofSeconds(2), Duration.ofSeconds(1));
    private final Service sample = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), time.now());
    private int steps;

    @Override
    protected DataPlane plane() {
        return plane;
    }

    @Override
    protected boolean letTimePass() {
        time.advance(Duration.ofMillis(300));
        return ++steps < 100;
    }

    @Override
    protected Instant now() {
        return time.now();
    }

    @Override
    protected void restartControlPlane() {
        // This plane is the world itself: it has nothing that dies with the control plane.
        time.advance(Duration.ZERO);
    }

    @Override
    protected void crash(Service service) {
        plane.breakDown(service.id(), "The power went");
    }

    @Override
    protected BackupOrigin backup(Service source) {
        return new BackupOrigin(source.id(), UUID.randomUUID());
    }

    @Test
    void startTakesItsTime() throws PlaneFault {
        plane.start(sample);
        time.advance(Duration.ofMillis(1_999));
        assertThat(plane.condition(sample.id())).isEqualTo(Condition.STARTING);
        time.advance(Duration.ofMillis(1));
        assertThat(plane.condition(sample.id())).isEqualTo(Condition.RUNNING);
    }

    @Test
    void changedServiceDoesNotFitBeforeItIsStartedAgain() throws PlaneFault {
        plane.start(sample);
        time.advance(Duration.ofSeconds(2));
        assertThat(plane.observe(ServiceSample.withMysql(sample, true)).fits()).isFalse();
    }

    @Test
    void stoppedServiceKeepsItsDataAndErasedOneLosesIt() throws PlaneFault {
        plane.start(sample);
        plane.stop(sample);
        time.advance(Duration.ofSeconds(1));
        plane.start(sample);
        assertThat(plane.data(sample.id())).hasValue(1);
        plane.erase(sample);
        time.advance(Duration.ofSeconds(1));
        assertThat(plane.data(sample.id())).isEmpty();
        plane.start(sample);
        assertThat(plane.data(sample.id())).hasValue(2);
    }

    @Test
    void brokenServiceSaysWhy() throws PlaneFault {
        plane.start(sample);
        plane.breakDown(sample.id(), "The disk is full");
        assertThat(plane.observe(sample))
                .isEqualTo(new DataPlane.Sight(Condition.BROKEN, false, null, "The disk is full"));
    }

    @Test
    void trapSpringsBeforeAndAfterADeedAndOnlyWhatTookPlaceIsRecorded() {
        plane.trap((deed, service, done) -> {
            if ((deed == Deed.START && !done) || (deed == Deed.STOP && done)) {
                throw new PlaneFault("No");
            }
        });
        assertThatThrownBy(() -> plane.start(sample)).isInstanceOf(PlaneFault.class);
        assertThat(plane.effects()).isEmpty();
        assertThatThrownBy(() -> plane.stop(sample)).isInstanceOf(PlaneFault.class);
        assertThat(plane.effects()).containsExactly(new Effect(Deed.STOP, sample.id()));
        assertThat(plane.looks(sample.id())).isZero();
    }

    @Test
    void plannedEventsHappenOnTheWayInOrder() {
        StringBuilder order = new StringBuilder();
        Instant start = time.now();
        time.at(
                start.plusSeconds(2),
                () -> order.append('b')
                        .append(Duration.between(start, time.now()).toSeconds()));
        time.at(
                start.plusSeconds(1),
                () -> order.append('a')
                        .append(Duration.between(start, time.now()).toSeconds()));
        time.at(start.plusSeconds(9), () -> order.append('c'));
        time.advance(Duration.ofSeconds(3));
        assertThat(order).hasToString("a1b2");
        assertThat(time.now()).isEqualTo(start.plusSeconds(3));
        time.advanceTo(start);
        assertThat(time.now()).isEqualTo(start.plusSeconds(3));
    }
}
