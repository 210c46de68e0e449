package io.pilothouse.plane.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import io.pilothouse.plane.simulated.SimulatedPlane.Settings;
import io.pilothouse.testkit.PlaneContract;
import io.pilothouse.testkit.ServiceSample;
import io.pilothouse.testkit.SimTime;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The simulated plane keeps the contract of planes although it forgets nearly everything. */
class SimulatedPlaneTest extends PlaneContract {
    private final SimTime time = new SimTime();
    private final Service sample = ServiceSample.wanted(
            UUID.fromString("01234567-89ab-cdef-0123-456789abcdef"), UUID.randomUUID(), time.now());
    private SimulatedPlane plane = new SimulatedPlane(time, Settings.USUAL);
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
        plane = new SimulatedPlane(time, Settings.USUAL);
    }

    @Override
    protected void crash(Service service) {
        // There is no database that could die; only the memory of starts under way can be lost.
        restartControlPlane();
    }

    @Override
    protected BackupOrigin backup(Service source) {
        return new BackupOrigin(source.id(), UUID.randomUUID());
    }

    private Service seen(Condition condition, boolean everRan) {
        return sample.withSeen(new Seen(condition, everRan, null, null, time.now()));
    }

    @Test
    void provisioningTakesTwoSecondsAndStoppingHalfOfOne() {
        plane.start(sample);
        time.advance(Duration.ofMillis(1_999));
        assertThat(plane.observe(sample).condition()).isEqualTo(Condition.STARTING);
        time.advance(Duration.ofMillis(1));
        assertThat(plane.observe(sample))
                .isEqualTo(new DataPlane.Sight(Condition.RUNNING, true, plane.database(), null));
        plane.stop(sample);
        time.advance(Duration.ofMillis(499));
        assertThat(plane.observe(sample).condition()).isEqualTo(Condition.STOPPING);
        time.advance(Duration.ofMillis(1));
        assertThat(plane.observe(sample).condition()).isEqualTo(Condition.STOPPED);
    }

    @ParameterizedTest
    @CsvSource({
        "UNKNOWN, false, ABSENT",
        "ABSENT, false, ABSENT",
        "STARTING, false, STARTING",
        "RUNNING, true, RUNNING",
        "STOPPING, true, STOPPING",
        "STOPPED, true, STOPPED",
        "BROKEN, true, STOPPED"
    })
    void planeThatKnowsNothingOfAServiceBelievesTheRow(Condition row, boolean everRan, Condition seen) {
        assertThat(plane.observe(seen(row, everRan)).condition()).isEqualTo(seen);
    }

    @Test
    void startsUnderWayAtARestartGoOn() {
        Service starting = seen(Condition.STARTING, false);
        Service stopping = seen(Condition.STOPPING, true).withWish(Wish.STOP, time.now());
        Service deleted = seen(Condition.STOPPING, true).withWish(Wish.DELETE, time.now());
        restartControlPlane();
        time.advance(Settings.USUAL.endTime());
        assertThat(plane.observe(starting).condition()).isEqualTo(Condition.STARTING);
        assertThat(plane.observe(stopping).condition()).isEqualTo(Condition.STOPPED);
        assertThat(plane.observe(deleted).condition()).isEqualTo(Condition.ABSENT);
        time.advance(Settings.USUAL.startTime());
        assertThat(plane.observe(starting).condition()).isEqualTo(Condition.RUNNING);
    }

    @Test
    void whatAnotherProcessHasRecordedSinceIsBelieved() {
        plane.start(sample);
        time.advance(Settings.USUAL.startTime());
        assertThat(plane.observe(sample).condition()).isEqualTo(Condition.RUNNING);
        time.advance(Duration.ofHours(1));
        Service stoppedElsewhere = seen(Condition.STOPPED, true).withWish(Wish.STOP, time.now());
        assertThat(plane.observe(stoppedElsewhere).condition()).isEqualTo(Condition.STOPPED);
        assertThat(plane.remembered()).isZero();
        plane.start(stoppedElsewhere);
        assertThat(plane.observe(stoppedElsewhere).condition()).isEqualTo(Condition.STARTING);
    }

    @Test
    void onlyWhatIsOnItsWayIsRemembered() {
        Service starting = seen(Condition.STARTING, false);
        plane.start(sample);
        time.advance(Duration.ofSeconds(2));
        assertThat(plane.observe(starting).condition()).isEqualTo(Condition.RUNNING);
        assertThat(plane.remembered()).isEqualTo(1);
        assertThat(plane.observe(seen(Condition.RUNNING, true)).condition()).isEqualTo(Condition.RUNNING);
        assertThat(plane.remembered()).isZero();
        Service deleted = seen(Condition.RUNNING, true).withWish(Wish.DELETE, time.now());
        plane.erase(deleted);
        time.advance(Duration.ofMillis(500));
        assertThat(plane.observe(deleted).condition()).isEqualTo(Condition.ABSENT);
        assertThat(plane.remembered()).isZero();
    }

    @Test
    void effectsOnWhatIsThereAlreadyAreNotRemembered() {
        plane.start(seen(Condition.RUNNING, true));
        plane.stop(seen(Condition.STOPPED, true));
        plane.erase(seen(Condition.UNKNOWN, false));
        assertThat(plane.remembered()).isZero();
    }
}
