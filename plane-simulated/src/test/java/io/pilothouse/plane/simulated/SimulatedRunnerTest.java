package io.pilothouse.plane.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.PipePhase;
import io.pilothouse.core.pipe.PipeRunner.PipeSight;
import io.pilothouse.core.pipe.PipeSeen;
import io.pilothouse.testkit.PipeSample;
import io.pilothouse.testkit.SimTime;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Two processes share a store, and a pipe goes from one to the other and back. */
class SimulatedRunnerTest {
    private static final Duration PHASE = Duration.ofSeconds(1);

    private final SimTime time = new SimTime();
    private final SimulatedRunner first = new SimulatedRunner(time, PHASE);
    private final SimulatedRunner second = new SimulatedRunner(time, PHASE);
    private final Pipe running =
            PipeSample.running(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID(), PipeKind.KAFKA, time.now());

    /** The row as the engine writes it after a look. */
    private Pipe looked(SimulatedRunner runner, Pipe pipe) {
        PipeSight sight = runner.observe(pipe);
        PipeSeen before = pipe.seen();
        return pipe.withSeen(new PipeSeen(
                sight.phase(),
                sight.generation(),
                sight.resyncs(),
                null,
                sight.phase() == before.phase() ? before.since() : time.now()));
    }

    private Pipe stoppedBy(SimulatedRunner runner, Pipe pipe) {
        runner.stop(pipe);
        Pipe stopping = looked(runner, pipe);
        time.advance(PHASE.plusMillis(1));
        return looked(runner, stopping);
    }

    @Test
    void whatAnotherProcessStoppedDoesNotRunInTheMemoryOfTheFirst() {
        Pipe stopped = looked(first, running.withSeen(new PipeSeen(PipePhase.STOPPED, 1, 0, null, time.now())));
        first.start(stopped);
        time.advance(Duration.ofMillis(1));
        Pipe starting = looked(first, stopped);
        assertThat(starting.seen().phase()).isEqualTo(PipePhase.PROVISIONING);
        time.advance(PHASE);
        Pipe ended = stoppedBy(second, starting.withSeen(new PipeSeen(PipePhase.RUNNING, 1, 0, null, time.now())));

        assertThat(ended.seen().phase()).isEqualTo(PipePhase.STOPPED);
        assertThat(first.observe(ended).phase()).isEqualTo(PipePhase.STOPPED);
    }

    @Test
    void aChangeThatAnotherProcessHasTakenUpIsNotForgottenByTheFirst() {
        first.start(running);
        time.advance(Duration.ofMillis(1));
        Pipe changed = running.withSeen(new PipeSeen(PipePhase.RUNNING, 2, 1, null, time.now()));

        PipeSight sight = first.observe(changed);
        assertThat(sight.generation()).isEqualTo(2);
        assertThat(sight.resyncs()).isEqualTo(1);
    }

    @Test
    void itsOwnWalkGoesOnWhateverWasRecordedOfIt() {
        Pipe stopped = running.withSeen(new PipeSeen(PipePhase.STOPPED, 1, 0, null, time.now()));
        first.start(stopped);
        time.advance(Duration.ofMillis(1));
        Pipe starting = looked(first, stopped);
        assertThat(starting.seen().phase()).isEqualTo(PipePhase.PROVISIONING);
        time.advance(PHASE);
        assertThat(looked(first, starting).seen().phase()).isEqualTo(PipePhase.RUNNING);
    }
}
