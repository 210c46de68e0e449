package io.pilothouse.pipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Report;
import io.pilothouse.pipes.wire.Report.Condition;
import io.pilothouse.pipes.wire.Wire;
import io.pilothouse.testkit.PipeSample;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

/** What a visit to a source says of its worker, which says something itself and ends. */
class PipeVisitTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Assignment ASSIGNMENT = new Assignment(
            "p",
            "postgres",
            Tree.Members.NONE,
            Tree.Members.NONE,
            Tree.Members.NONE,
            new Assignment.Target("d", "t", List.of(), List.of(), ""),
            0,
            Assignment.Errand.MEASURE,
            0,
            new Assignment.Share(0, 1, 1, 0.5, 125));

    /** A worker whose process is gone already, or has yet to be killed. */
    private static final class Given implements Host {
        private final byte[] said;
        private final CountDownLatch end;

        Given(boolean ended, Report... reports) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            Wire wire = new Wire(InputStream.nullInputStream(), out);
            for (Report report : reports) {
                wire.send(report.tree());
            }
            this.said = out.toByteArray();
            this.end = new CountDownLatch(ended ? 0 : 1);
        }

        @Override
        public InputStream in() {
            return new ByteArrayInputStream(said);
        }

        @Override
        public OutputStream out() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public void begin(String name, ThreadFactory readers) {
            // It has no words for the log.
        }

        @Override
        public void kill() {
            end.countDown();
        }

        @Override
        public String awaitEnd() {
            try {
                end.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return "It ended.";
        }

        @Override
        public boolean awaitEnd(Duration atMost) {
            return end.getCount() == 0;
        }

        @Override
        public Optional<ProcessUse> use() {
            return Optional.empty();
        }
    }

    private static Report report(Condition condition, String sentence) {
        return new Report(condition, sentence, Report.Amounts.NONE, Map.of(), Map.of(), Map.of(), 0, 0, 7);
    }

    /** Its reader gets its turn only when the visit waits already, or is over. */
    private static Report visit(Given host, Duration endsWithin) throws IOException, PlaneFault, InterruptedException {
        PipeVisit visit = new PipeVisit(endsWithin, () -> Tree.Members.NONE);
        PipeWorker worker = new PipeWorker(host, ASSIGNMENT, visit, Runnable::run);
        Thread visitor = Thread.currentThread();
        CountDownLatch over = new CountDownLatch(1);
        try {
            return visit.await(
                    worker,
                    reader -> Thread.ofPlatform().daemon().unstarted(() -> {
                        while (over.getCount() > 0 && visitor.getState() != Thread.State.TIMED_WAITING) {
                            Thread.onSpinWait();
                        }
                        reader.run();
                    }));
        } finally {
            over.countDown();
        }
    }

    @Test
    void reportIsReadHoweverLateTheProcessIsGoneBefore() throws IOException, PlaneFault, InterruptedException {
        Given host = new Given(true, report(Condition.SETUP, ""), report(Condition.COMPLETED, ""));
        assertThat(visit(host, LONG).keptBytes()).isEqualTo(7);
    }

    @Test
    void workerThatDidNotCompleteSaysWhy() throws IOException {
        Given refused = new Given(true, report(Condition.FAILED, "The login is refused."));
        assertThatThrownBy(() -> visit(refused, LONG))
                .isInstanceOf(PlaneFault.class)
                .hasMessage("The login is refused.");
        Given killed = new Given(true, report(Condition.SETUP, ""));
        assertThatThrownBy(() -> visit(killed, LONG))
                .isInstanceOf(PlaneFault.class)
                .hasMessage("It did not come to an end.");
    }

    @Test
    void workerThatDoesNotEndIsKilled() throws IOException, InterruptedException {
        Given host = new Given(false, report(Condition.COMPLETED, ""));
        assertThatThrownBy(() -> visit(host, Duration.ofMillis(100)))
                .isInstanceOf(PlaneFault.class)
                .hasMessage("It does not answer.");
        assertThat(host.end.getCount()).isZero();
    }

    /** Begins the one worker that is given. */
    private record OneWorker(Given host, List<Assignment> told) implements PipeVisit.Measuring.Start {
        @Override
        public PipeVisit.Measuring.Begun of(Pipe pipe, PipeWorker.Listener listener) throws PlaneFault {
            if (!told.isEmpty()) {
                throw new PlaneFault("A second worker.");
            }
            told.add(ASSIGNMENT);
            try {
                PipeWorker worker = new PipeWorker(host, ASSIGNMENT, listener, Runnable::run);
                worker.begin(reader -> Thread.ofPlatform().daemon().unstarted(reader));
                return new PipeVisit.Measuring.Begun(worker, () -> {});
            } catch (IOException failure) {
                throw new PlaneFault("It cannot be started.", failure);
            }
        }

        @Override
        public Assignment next(Pipe pipe) {
            told.add(ASSIGNMENT);
            return ASSIGNMENT;
        }

        @Override
        public Tree.Members key(Pipe pipe) {
            return Tree.Members.NONE;
        }
    }

    @Test
    void oneWorkerMeasuresPipesOneAfterAnother() throws IOException, PlaneFault {
        Given host = new Given(
                false,
                report(Condition.STARTING, ""),
                report(Condition.COMPLETED, ""),
                report(Condition.WITHOUT_SOURCE, "It is away."),
                report(Condition.COMPLETED, ""));
        OneWorker start = new OneWorker(host, new ArrayList<>());
        Pipe pipe =
                PipeSample.running(new UUID(0, 1), new UUID(0, 2), new UUID(0, 3), PipeKind.POSTGRES, Instant.EPOCH);
        try (PipeVisit.Measuring visit = new PipeVisit.Measuring(start, LONG)) {
            assertThat(visit.bytes(pipe)).isEqualTo(7);
            assertThatThrownBy(() -> visit.bytes(pipe))
                    .isInstanceOf(PlaneFault.class)
                    .hasMessage("It is away.");
            assertThat(visit.bytes(pipe)).isEqualTo(7);
        }
        assertThat(start.told()).hasSize(3);
        assertThat(host.end.getCount()).isZero();
    }

    @Test
    void workerThatDoesNotAnswerIsKilledAndTheNextPipeHasAnother() throws IOException {
        Given host = new Given(false, report(Condition.STARTING, ""));
        OneWorker start = new OneWorker(host, new ArrayList<>());
        Pipe pipe =
                PipeSample.running(new UUID(0, 1), new UUID(0, 2), new UUID(0, 3), PipeKind.POSTGRES, Instant.EPOCH);
        try (PipeVisit.Measuring visit = new PipeVisit.Measuring(start, Duration.ofMillis(100))) {
            assertThatThrownBy(() -> visit.bytes(pipe)).hasMessage("It does not answer.");
            assertThat(host.end.getCount()).isZero();
            assertThatThrownBy(() -> visit.bytes(pipe)).hasMessage("A second worker.");
        }
    }
}
