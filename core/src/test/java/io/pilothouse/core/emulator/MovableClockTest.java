package io.pilothouse.core.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A time that is moved by hand. */
class MovableClockTest {
    private static final Instant START = Instant.EPOCH.plus(Duration.ofDays(20_000));

    private final List<ClockState> kept = new ArrayList<>();
    private Instant machine = START;
    private MovableClock clock = new MovableClock(() -> machine, new ClockState(START, START, 1), kept::add);

    private void pass(Duration by) {
        machine = machine.plus(by);
    }

    @Test
    void unmovedItIsThatOfTheMachine() {
        pass(Duration.ofNanos(1_234_567_890_123L));
        assertThat(clock.now()).isEqualTo(machine);
        assertThat(clock.machine().now()).isEqualTo(machine);
        assertThat(clock.behind()).isZero();
        assertThat(clock.until(machine.plusSeconds(7))).isBetween(Duration.ofSeconds(7), Duration.ofMillis(7_001));
        assertThat(clock.until(machine.minusSeconds(7))).isEqualTo(Duration.ofSeconds(-7));
        assertThat(clock.after(Duration.ofSeconds(5))).isEqualTo(machine.plusSeconds(5));
    }

    @Test
    void stoppedItStandsStillAndNothingIsWaitedFor() {
        clock.move(null, Duration.ZERO, 0.0);
        pass(Duration.ofHours(1));
        assertThat(clock.now()).isEqualTo(START);
        assertThat(clock.until(START)).isZero();
        assertThat(clock.until(START.plusNanos(1))).isGreaterThan(Duration.ofDays(300));
        assertThat(clock.after(Duration.ofSeconds(5))).isAfter(START);
    }

    @Test
    void movedItGoesOnFromThere() {
        assertThat(clock.move(null, Duration.ofDays(2), null)).get().satisfies(state -> {
            assertThat(state.shown()).isEqualTo(START.plus(Duration.ofDays(2)));
            assertThat(state.rate()).isOne();
        });
        pass(Duration.ofSeconds(3));
        assertThat(clock.now()).isEqualTo(START.plus(Duration.ofDays(2)).plusSeconds(3));
        assertThat(clock.state().machine()).isEqualTo(machine);
    }

    @Test
    void fasterItShortensEveryWait() {
        clock.move(null, Duration.ZERO, 60.0);
        pass(Duration.ofMillis(1_500));
        assertThat(clock.now()).isEqualTo(START.plusSeconds(90));
        assertThat(clock.until(START.plusSeconds(150))).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1_001));
        assertThat(clock.until(START.plus(Duration.ofDays(40_000)))).isEqualTo(Duration.ofDays(365));
        assertThat(clock.after(Duration.ofSeconds(5))).isEqualTo(START.plusSeconds(390));
        clock.move(null, Duration.ZERO, 0.5);
        assertThat(clock.until(START.plusSeconds(91))).isBetween(Duration.ofSeconds(2), Duration.ofMillis(2_001));
        assertThat(clock.after(Duration.ofSeconds(5))).isEqualTo(START.plusSeconds(95));
    }

    @Test
    void itIsNotTakenBack() {
        clock.move(null, Duration.ofDays(1), null);
        kept.clear();
        assertThat(clock.move(START, Duration.ZERO, 0.0)).isEmpty();
        assertThat(clock.move(null, Duration.ofNanos(-1), null)).isEmpty();
        assertThat(clock.move(ClockState.LATEST.plusNanos(1), Duration.ZERO, null))
                .isEmpty();
        assertThat(kept).isEmpty();
        assertThat(clock.state().rate()).isOne();
    }

    @Test
    void aMachineThatIsSetBackTakesNothingBack() {
        clock.move(null, Duration.ofDays(1), null);
        pass(Duration.ofHours(2));
        Instant before = clock.now();
        pass(Duration.ofHours(-5));
        assertThat(clock.now()).isEqualTo(before);
        pass(Duration.ofMinutes(1));
        assertThat(clock.now()).isEqualTo(before.plus(Duration.ofMinutes(1)));
    }

    @Test
    void whatIsKeptTakesItOnAfterARestart() {
        clock.move(START.plus(Duration.ofDays(30)), Duration.ZERO, 10.0);
        pass(Duration.ofSeconds(6));
        Instant before = clock.now();
        clock = new MovableClock(() -> machine, kept.getLast(), kept::add);
        assertThat(clock.now()).isEqualTo(before);
        pass(Duration.ofDays(-1));
        clock = new MovableClock(() -> machine, kept.getLast(), kept::add);
        assertThat(clock.now()).isEqualTo(START.plus(Duration.ofDays(30)));
    }

    @Test
    void itStandsStillAtTheEndOfTime() {
        clock.move(null, Duration.ZERO, 1_000.0);
        pass(Duration.ofDays(36_500));
        assertThat(clock.now()).isEqualTo(ClockState.LATEST);
    }

    @Test
    void aMoveThatCannotBeKeptIsNotMade() {
        MovableClock unkept = new MovableClock(() -> machine, new ClockState(START, START, 1), _ -> {
            throw new IllegalStateException("no room");
        });
        assertThatThrownBy(() -> unkept.move(null, Duration.ofDays(1), null)).hasMessage("no room");
        assertThat(unkept.now()).isEqualTo(START);
    }
}
