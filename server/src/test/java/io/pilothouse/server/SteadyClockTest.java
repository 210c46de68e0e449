package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A clock that jumps is believed only after a while. */
class SteadyClockTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);

    private Instant machine = START;
    private long ticks = 42;
    private long uptime = 4_242;
    private boolean tellsUptime = true;
    private final SteadyClock clock = new SteadyClock(
            () -> machine, () -> ticks, () -> tellsUptime ? OptionalLong.of(uptime) : OptionalLong.empty());

    private void pass(Duration time) {
        machine = machine.plus(time);
        ticks += time.toNanos();
        uptime += time.toNanos();
    }

    private void run(Duration time) {
        for (Duration left = time; left.isPositive(); left = left.minusMinutes(1)) {
            pass(Duration.ofMinutes(1));
            clock.now();
        }
    }

    @Test
    void clockThatIsKeptByANetworkIsFollowedAtOnce() {
        run(DAY);
        machine = machine.plusSeconds(9);
        assertThat(clock.now()).isEqualTo(machine);
        machine = machine.minusSeconds(9);
        assertThat(clock.now()).isEqualTo(machine);
        assertThat(clock.behind()).isZero();
    }

    @Test
    void jumpAheadIsFollowedAfterAnHour() {
        run(DAY);
        machine = machine.plus(DAY);
        assertThat(clock.now()).isEqualTo(machine.minus(DAY));
        assertThat(clock.behind()).isEqualTo(DAY);
        pass(Duration.ofMinutes(59));
        assertThat(clock.now()).isEqualTo(machine.minus(DAY));
        pass(Duration.ofMinutes(1));
        assertThat(clock.now()).isEqualTo(machine);
        assertThat(clock.behind()).isZero();
    }

    @Test
    void jumpBackIsFollowedAfterAnHour() {
        run(DAY);
        machine = machine.minus(DAY);
        assertThat(clock.now()).isEqualTo(machine.plus(DAY));
        assertThat(clock.behind()).isEqualTo(DAY.negated());
        pass(Duration.ofHours(1));
        assertThat(clock.now()).isEqualTo(machine);
    }

    @Test
    void clockThatIsSetRightAgainWasNeverFollowed() {
        run(DAY);
        machine = machine.plus(DAY);
        Instant before = clock.now();
        pass(Duration.ofMinutes(30));
        assertThat(clock.now()).isEqualTo(before.plus(Duration.ofMinutes(30)));
        machine = machine.minus(DAY);
        assertThat(clock.now()).isEqualTo(machine);
        pass(Duration.ofHours(2));
        machine = machine.plus(DAY);
        assertThat(clock.now()).as("the hour of the next jump begins with it").isEqualTo(machine.minus(DAY));
    }

    @Test
    void clockThatIsSetSoonAfterTheStartIsFollowedSoon() {
        pass(Duration.ofSeconds(20));
        machine = machine.plus(DAY);
        assertThat(clock.now()).isEqualTo(machine.minus(DAY));
        pass(Duration.ofSeconds(20));
        assertThat(clock.now()).isEqualTo(machine);
    }

    @Test
    void machineThatSleptHasTheTimeOfItsClock() {
        run(DAY);
        machine = machine.plus(DAY);
        uptime += DAY.toNanos();
        assertThat(clock.now()).isEqualTo(machine);
    }

    @Test
    void systemThatDoesNotCountItsSleepFollowsAJumpAheadAndNoneBack() {
        tellsUptime = false;
        run(DAY);
        machine = machine.plus(DAY);
        assertThat(clock.now()).isEqualTo(machine);
        run(DAY);
        machine = machine.minus(DAY);
        assertThat(clock.now()).isEqualTo(machine.plus(DAY));
    }

    @Test
    void clockOfThisMachineShowsItsTime() {
        SteadyClock real = SteadyClock.ofMachine();
        assertThat(real.now())
                .isBetween(Instant.now().minusSeconds(5), Instant.now().plusSeconds(5));
        assertThat(real.behind()).isZero();
    }
}
