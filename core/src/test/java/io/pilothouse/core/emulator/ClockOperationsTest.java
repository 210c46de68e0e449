package io.pilothouse.core.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.emulator.ClockOperations.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Moves of time: what they refuse, and in which order the rest follows. */
class ClockOperationsTest {
    private static final Instant START = Instant.EPOCH.plus(Duration.ofDays(20_000));

    private final List<String> heard = new ArrayList<>();
    private final MovableClock clock =
            new MovableClock(() -> START, new ClockState(START, START, 0), state -> heard.add("kept " + state.shown()));
    private final ClockOperations operations = new ClockOperations(clock, new ClockOperations.Follower() {
        @Override
        public void before() {
            heard.add("before " + clock.now());
        }

        @Override
        public void after() {
            heard.add("after " + clock.now());
        }

        @Override
        public boolean settled(Duration patience) {
            heard.add("settled at " + clock.now());
            return !busy;
        }
    });
    private boolean busy;

    @Test
    void whatIsDueBeforeAMoveIsDoneBeforeIt() {
        Instant later = START.plusSeconds(60);
        Change change = new Change(null, 60.0, null, Duration.ofSeconds(1));
        assertThat(operations.change(change, new Faults()).state().shown()).isEqualTo(later);
        assertThat(heard)
                .containsExactly(
                        "settled at " + START,
                        "before " + START,
                        "kept " + later,
                        "after " + later,
                        "settled at " + later);
        assertThat(operations.get().settled()).isTrue();
    }

    @Test
    void timeIsNotMovedWhileWhatIsDueIsNotDone() {
        busy = true;
        for (Change move : List.of(
                new Change(null, 60.0, null, Duration.ofSeconds(1)),
                new Change(START.plusSeconds(1), null, null, Duration.ZERO))) {
            assertThatThrownBy(() -> operations.change(move, new Faults()))
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> assertThat(refused.reason()).isEqualTo(Refused.Reason.UNAVAILABLE))
                    .hasMessageContaining("time was not moved");
        }
        assertThat(clock.now()).isEqualTo(START);
        assertThat(operations.change(new Change(null, null, 0.0, Duration.ZERO), new Faults()))
                .isEqualTo(new ClockOperations.Shown(new ClockState(START, START, 0), false));
    }

    @Test
    void everyFaultIsNamedAndNothingMoves() {
        for (Change wrong : List.of(
                new Change(null, -1.0, 2_000.0, Duration.ZERO),
                new Change(null, 1e12, -1.0, Duration.ZERO),
                new Change(START.plusSeconds(1), 1.0, -0.5, Duration.ZERO))) {
            assertThatThrownBy(() -> operations.change(wrong, new Faults()))
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> assertThat(refused.details())
                                    .extracting("path")
                                    .containsExactlyInAnyOrder("forwardSeconds", "rate"));
        }
        assertThatThrownBy(() ->
                        operations.change(new Change(START.minusSeconds(1), null, null, Duration.ZERO), new Faults()))
                .hasMessageContaining("time goes forward only");
        assertThat(clock.now()).isEqualTo(START);
        assertThat(heard).noneMatch(line -> line.startsWith("kept"));
    }
}
