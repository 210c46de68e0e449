package io.pilothouse.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.pipe.PipePhase;
import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.pipes.wire.Report;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Report.Condition;
import io.pilothouse.testkit.SimTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the reports of workers make of their pipe. */
class PipeHealthTest {
    private final SimTime time = new SimTime();
    private final PipeHealth<String> health = new PipeHealth<>(time);

    private void report(String worker, Condition condition, String sentence) {
        health.reported(
                worker,
                new Report(
                        condition,
                        sentence,
                        new Amounts(1, 2, 3, 4, 5, 6),
                        Map.of(),
                        Map.of(),
                        Map.of(),
                        7,
                        8_000,
                        9 << 20));
    }

    private PipeHealth.Verdict verdict(String... workers) {
        return health.verdict(List.of(workers), 2, Optional.empty());
    }

    private void pass(Duration duration) {
        time.advanceTo(time.now().plus(duration));
    }

    @Test
    void pipeRunsOnceAllOfItsWorkersDo() {
        assertThat(verdict().phase()).isEqualTo(PipePhase.PROVISIONING);
        report("a", Condition.RUNNING, "");
        assertThat(verdict("a").phase()).isEqualTo(PipePhase.PROVISIONING);
        report("b", Condition.STARTING, "");
        assertThat(verdict("a", "b").phase()).isEqualTo(PipePhase.PROVISIONING);
        report("b", Condition.RUNNING, "");
        assertThat(verdict("a", "b")).isEqualTo(new PipeHealth.Verdict(PipePhase.RUNNING, null));
    }

    @Test
    void whatIsWrongWithTheirRunnerExplainsWhyWorkersAreMissing() {
        Optional<String> away = Optional.of("Kafka Connect does not answer");
        assertThat(verdict().under(away, true)).isEqualTo(new PipeHealth.Verdict(PipePhase.DEGRADED, away.get()));
        assertThat(verdict().under(Optional.empty(), true).phase()).isEqualTo(PipePhase.PROVISIONING);
        report("a", Condition.RUNNING, "");
        report("b", Condition.RUNNING, "");
        assertThat(verdict("a", "b").under(away, false))
                .isEqualTo(new PipeHealth.Verdict(PipePhase.RUNNING, away.get()));
        health.ended("b", "it went away");
        assertThat(verdict("a").under(away, true)).isEqualTo(new PipeHealth.Verdict(PipePhase.DEGRADED, away.get()));
        report("b", Condition.WITHOUT_SOURCE, "no broker answers");
        assertThat(verdict("a", "b").under(away, false))
                .isEqualTo(new PipeHealth.Verdict(PipePhase.DEGRADED, "no broker answers"));
        report("b", Condition.FAILED, "there is no such topic");
        assertThat(verdict("a", "b").under(away, true))
                .isEqualTo(new PipeHealth.Verdict(PipePhase.FAILED, "there is no such topic"));
    }

    @Test
    void pipeIsCompleteOnceAllOfItsWorkersAre() {
        report("a", Condition.COMPLETED, "2 lines cannot be read");
        report("b", Condition.RUNNING, "");
        assertThat(verdict("a", "b").phase()).isEqualTo(PipePhase.RUNNING);
        report("b", Condition.COMPLETED, "");
        assertThat(verdict("a", "b")).isEqualTo(new PipeHealth.Verdict(PipePhase.COMPLETED, "2 lines cannot be read"));
        assertThat(health.ended("a", "It ended.")).isTrue();
    }

    @Test
    void pipeOfADatabaseShowsHowItBegins() {
        report("a", Condition.SETUP, "");
        report("b", Condition.RUNNING, "");
        assertThat(verdict("a", "b").phase()).isEqualTo(PipePhase.SETUP);
        report("a", Condition.SNAPSHOT, "");
        assertThat(verdict("a", "b").phase()).isEqualTo(PipePhase.SNAPSHOT);
        report("a", Condition.COMPLETED, "");
        assertThat(verdict("a", "b").phase()).isEqualTo(PipePhase.RUNNING);
    }

    @Test
    void sourceThatIsAwayForAQuarterOfAnHourFailsThePipe() {
        report("a", Condition.RUNNING, "");
        report("b", Condition.WITHOUT_SOURCE, "It is away");
        assertThat(verdict("a", "b")).isEqualTo(new PipeHealth.Verdict(PipePhase.DEGRADED, "It is away"));
        pass(Duration.ofMinutes(15).minusSeconds(1));
        assertThat(verdict("a", "b").phase()).isEqualTo(PipePhase.DEGRADED);
        pass(Duration.ofSeconds(1));
        assertThat(verdict("a", "b")).isEqualTo(new PipeHealth.Verdict(PipePhase.FAILED, "It is away"));
    }

    @Test
    void databaseMayBeAwayForAnHour() {
        report("a", Condition.WITHOUT_DESTINATION, "");
        report("b", Condition.RUNNING, "");
        verdict("a", "b");
        pass(Duration.ofMinutes(59));
        assertThat(verdict("a", "b").phase()).isEqualTo(PipePhase.DEGRADED);
        pass(Duration.ofMinutes(1));
        assertThat(verdict("a", "b").phase()).isEqualTo(PipePhase.FAILED);
    }

    @Test
    void timeAwayBeginsAgainAfterItWasThere() {
        report("a", Condition.WITHOUT_SOURCE, "");
        report("b", Condition.RUNNING, "");
        verdict("a", "b");
        pass(Duration.ofMinutes(14));
        report("a", Condition.RUNNING, "");
        assertThat(verdict("a", "b").phase()).isEqualTo(PipePhase.RUNNING);
        report("a", Condition.WITHOUT_SOURCE, "");
        verdict("a", "b");
        pass(Duration.ofMinutes(14));
        assertThat(verdict("a", "b").phase()).isEqualTo(PipePhase.DEGRADED);
    }

    @Test
    void oneThatCannotGoOnFailsThePipe() {
        report("a", Condition.RUNNING, "");
        report("b", Condition.FAILED, "There is no such bucket");
        assertThat(verdict("a", "b")).isEqualTo(new PipeHealth.Verdict(PipePhase.FAILED, "There is no such bucket"));
        assertThat(health.verdict(List.of("a"), 1, Optional.of("No such column")))
                .isEqualTo(new PipeHealth.Verdict(PipePhase.FAILED, "No such column"));
    }

    @Test
    void workerThatEndsByItselfShowsUntilAnotherWorks() {
        report("a", Condition.RUNNING, "");
        report("b", Condition.RUNNING, "");
        assertThat(health.ended("b", "It ended with 137.")).isFalse();
        assertThat(verdict("a").phase()).isEqualTo(PipePhase.DEGRADED);
        assertThat(verdict("a").sentence()).contains("137");
        report("c", Condition.STARTING, "");
        assertThat(verdict("a", "c").phase()).isEqualTo(PipePhase.DEGRADED);
        report("c", Condition.RUNNING, "");
        assertThat(verdict("a", "c")).isEqualTo(new PipeHealth.Verdict(PipePhase.RUNNING, null));
    }

    @Test
    void pipeWhoseSourceKeepsMuchIsDegradedUntilItDoesNot() {
        report("a", Condition.BEHIND, "much");
        report("b", Condition.RUNNING, "");
        assertThat(verdict("a", "b")).isEqualTo(new PipeHealth.Verdict(PipePhase.DEGRADED, "much"));
        pass(Duration.ofDays(2));
        assertThat(verdict("a", "b").phase()).isEqualTo(PipePhase.DEGRADED);
        report("a", Condition.RUNNING, "");
        assertThat(verdict("a", "b")).isEqualTo(new PipeHealth.Verdict(PipePhase.RUNNING, null));
    }

    @Test
    void changeForgetsOldTroublesAndKeepsWhatWasMoved() {
        report("a", Condition.WITHOUT_SOURCE, "");
        verdict("a");
        health.ended("b", "It ended.");
        pass(Duration.ofMinutes(20));
        health.begin();
        assertThat(verdict().phase()).isEqualTo(PipePhase.PROVISIONING);
        report("a", Condition.WITHOUT_SOURCE, "");
        assertThat(verdict("a").phase()).isEqualTo(PipePhase.DEGRADED);
        assertThat(health.figures())
                .containsEntry(PipeFigure.FETCHED_EVENTS, 2L)
                .containsEntry(PipeFigure.ERRORS, 10L)
                .containsEntry(PipeFigure.LAG_RECORDS, 7L)
                .containsEntry(PipeFigure.LATENCY_MILLIS, 8_000L)
                .containsEntry(PipeFigure.LAG_SECONDS, 8L)
                .containsEntry(PipeFigure.SLOT_MEBIBYTES, 9L);
    }

    @Test
    void pipeThatHasReadEverythingIsNotBehindHoweverOldItWas() {
        health.reported("a", moved(0, 8_000, -1));
        assertThat(health.figures())
                .containsEntry(PipeFigure.LAG_SECONDS, 0L)
                .containsEntry(PipeFigure.LATENCY_MILLIS, 8_000L)
                .doesNotContainKey(PipeFigure.SLOT_MEBIBYTES);
        health.reported("a", moved(-1, -1, -1));
        assertThat(health.figures())
                .doesNotContainKeys(PipeFigure.LAG_SECONDS, PipeFigure.LAG_RECORDS, PipeFigure.LATENCY_MILLIS);
    }

    private static Report moved(long lag, long latencyMillis, long keptBytes) {
        return new Report(
                Condition.RUNNING, "", Amounts.NONE, Map.of(), Map.of(), Map.of(), lag, latencyMillis, keptBytes);
    }
}
