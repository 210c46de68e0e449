package io.pilothouse.plane.local.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Few databases start at once, no more than fit run, and who came first goes first. */
class StartTurnsTest {
    private static final Duration MAX_START = Duration.ofSeconds(60);

    private final AtomicLong nanos = new AtomicLong();
    private final List<UUID> called = new ArrayList<>();
    private final UUID first = UUID.randomUUID();
    private final UUID second = UUID.randomUUID();
    private final UUID third = UUID.randomUUID();
    private final UUID fourth = UUID.randomUUID();

    private StartTurns turns(int databases, int atOnce) {
        return new StartTurns(new Budget(databases * Budget.OF_ONE, atOnce, 0), MAX_START, nanos::get, called::add);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static void launch(StartTurns turns, UUID id) {
        assertThat(turns.ask(id)).isEmpty();
        turns.launched(id);
    }

    @Test
    void nextOneStartsOnceAnEarlierOneAnswers() {
        StartTurns turns = turns(10, 2);
        launch(turns, first);
        launch(turns, second);
        assertThat(turns.ask(third).orElseThrow()).contains("other databases of this machine have started");
        assertThat(turns.ask(fourth)).isPresent();
        assertThat(called).isEmpty();

        turns.answers(second);
        assertThat(called).containsExactly(third);
        assertThat(turns.waits(fourth)).as("it came later").isPresent();
        assertThat(turns.ask(fourth)).isPresent();
        assertThat(turns.waits(third)).isEmpty();
        launch(turns, third);
        turns.answers(first);
        assertThat(called).containsExactly(third, fourth);
        launch(turns, fourth);
    }

    @Test
    void beyondTheMemoryTheyWaitUntilAnotherStops() {
        StartTurns turns = turns(2, 8);
        launch(turns, first);
        launch(turns, second);
        turns.answers(first);
        turns.answers(second);
        assertThat(turns.ask(third).orElseThrow()).contains("the memory for databases on this machine holds 2");

        turns.leave(first);
        assertThat(called).containsExactly(third);
        launch(turns, third);
        assertThat(turns.ask(first)).isPresent();
        turns.ended(second);
        assertThat(called).containsExactly(third, first);
    }

    @Test
    void oneOfSeveralThatWaitsStandsInNobodysWayOnceItIsGone() {
        StartTurns turns = turns(1, 8);
        launch(turns, first);
        assertThat(turns.ask(second)).isPresent();
        assertThat(turns.ask(third)).isPresent();
        assertThat(turns.ask(fourth)).isPresent();
        turns.leave(second);

        pass(Duration.ofSeconds(29));
        assertThat(turns.waits(fourth)).isPresent();
        pass(Duration.ofSeconds(2));
        turns.leave(first);
        assertThat(called).as("the third was not asked after for 31 seconds").containsExactly(fourth);
    }

    @Test
    void startThatIsBegunIsNotTakenForOneThatEnded() {
        StartTurns turns = turns(1, 8);
        assertThat(turns.ask(first)).isEmpty();
        turns.ended(first);
        assertThat(turns.ask(second)).as("the first has no process yet").isPresent();
        turns.launched(first);
        turns.ended(first);
        assertThat(called).containsExactly(second);
    }

    @Test
    void startThatTakesTooLongHoldsUpNoOther() {
        StartTurns turns = turns(10, 1);
        launch(turns, first);
        assertThat(turns.ask(second)).isPresent();
        pass(MAX_START);
        assertThat(turns.ask(second)).isEmpty();
    }

    @Test
    void whatRunsAlreadyCountsAndIsNeverHeldUp() {
        StartTurns turns = turns(1, 1);
        turns.answers(first);
        turns.answers(second);
        assertThat(turns.ask(first)).isEmpty();
        assertThat(turns.ask(third)).isPresent();
        turns.begin(third);
        assertThat(turns.waits(third)).isEmpty();
    }

    @Test
    void oneDatabaseFitsIntoTheSmallestMachine() {
        assertThat(Budget.memoryBeside(512L << 20, 384L << 20)).isEqualTo(Budget.OF_ONE);
        assertThat(Budget.memoryBeside(16L << 30, 4L << 30)).isEqualTo((12L << 30) - (256L << 20));
        assertThat(new Budget(1, 1, 0).databases()).isEqualTo(1);
        assertThatThrownBy(() -> new Budget(0, 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Budget(1, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Budget(1, 1, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
