package io.pilothouse.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.core.pipe.progress.PipeFigures.TableEvents;
import io.pilothouse.pipes.wire.Report;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Report.Condition;
import io.pilothouse.pipes.wire.Report.TableEvent;
import io.pilothouse.pipes.wire.Report.Tally;
import io.pilothouse.testkit.SimTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the workers of a pipe have counted together. */
class PipeTalliesTest {
    private final SimTime time = new SimTime();
    private final PipeTallies tallies = new PipeTallies(time);

    private void add(long fetched, long errors, Map<Tally, Long> more, Map<TableEvent, Long> events) {
        Amounts amounts = new Amounts(fetched, 0, fetched - errors, 0, errors, 0);
        // As a worker sends it.
        tallies.add(Report.of(new Report(Condition.RUNNING, "", amounts, more, events, Map.of(), -1, -1, -1).tree()));
    }

    private void add(long fetched, long errors) {
        add(fetched, errors, Map.of(), Map.of());
    }

    private long errorPercent() {
        return tallies.values().getOrDefault(PipeFigure.ERROR_PERCENT, -1L);
    }

    @Test
    void whatNoWorkerCountsIsNotZeroButMissing() {
        add(3, 0, Map.of(Tally.FETCHED_BYTES, 20L), Map.of());
        add(4, 0, Map.of(Tally.FETCHED_BYTES, 5L), Map.of());
        assertThat(tallies.values())
                .containsEntry(PipeFigure.FETCHED_EVENTS, 7L)
                .containsEntry(PipeFigure.FETCHED_BYTES, 25L)
                .doesNotContainKey(PipeFigure.SENT_BYTES_COMPRESSED);
    }

    @Test
    void changesOfATableAreCountedBySort() {
        add(2, 0, Map.of(), Map.of(new TableEvent("users", "insert"), 2L));
        add(3, 0, Map.of(), Map.of(new TableEvent("users", "insert"), 1L, new TableEvent("users", "delete"), 2L));
        assertThat(tallies.tables())
                .containsExactly(new TableEvents("users", "delete", 2), new TableEvents("users", "insert", 3));
    }

    @Test
    void shareOfErrorsIsThatOfTheLastMinutes() {
        assertThat(errorPercent()).isZero();
        add(1000, 1);
        assertThat(errorPercent()).isEqualTo(1);
        time.advanceTo(time.now().plus(Duration.ofSeconds(5)));
        add(0, 99);
        time.advanceTo(time.now().plus(Duration.ofSeconds(20)));
        assertThat(errorPercent()).isEqualTo(10);
        time.advanceTo(time.now().plus(PipeTallies.RECENT));
        assertThat(errorPercent()).isZero();
        add(0, 3);
        assertThat(errorPercent()).isEqualTo(100);
    }
}
