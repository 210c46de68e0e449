package io.pilothouse.core.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.engine.Move;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.pipe.PipeRunner.PipeSight;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Kind;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipePlanTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Claim CLAIM = new Claim(Kind.PIPE, new UUID(1, 1), 1, 1, 0, NOON);
    private final PipePlan plan = new PipePlan(Pace.USUAL);

    @ParameterizedTest
    @CsvSource({
        "RUN, UNKNOWN, BackOff",
        "RUN, ABSENT, Start",
        "RUN, STOPPED, Start",
        "RUN, INTERNAL_ERROR, Start",
        "RUN, PROVISIONING, Wait",
        "RUN, SETUP, Wait",
        "RUN, SNAPSHOT, Wait",
        "RUN, STOPPING, Wait",
        "RUN, RUNNING, Settled",
        "RUN, DEGRADED, Settled",
        "RUN, COMPLETED, Settled",
        "RUN, FAILED, Settled",
        "STOP, UNKNOWN, BackOff",
        "STOP, ABSENT, Settled",
        "STOP, STOPPED, Settled",
        "STOP, COMPLETED, Settled",
        "STOP, STOPPING, Wait",
        "STOP, PROVISIONING, Stop",
        "STOP, SETUP, Stop",
        "STOP, SNAPSHOT, Stop",
        "STOP, RUNNING, Stop",
        "STOP, DEGRADED, Stop",
        "STOP, FAILED, Stop",
        "STOP, INTERNAL_ERROR, Stop",
        "DELETE, ABSENT, Gone",
        "DELETE, RUNNING, Erase",
        "DELETE, UNKNOWN, Erase"
    })
    void theMoveFollowsFromWhatIsWantedAndSeen(Pipe.Wish wish, PipePhase phase, String move) {
        assertThat(plan.next(pipe(wish), new PipeSight(phase, 1, 0, null), CLAIM, NOON)
                        .move()
                        .getClass()
                        .getSimpleName())
                .isEqualTo(move);
    }

    @ParameterizedTest
    @CsvSource({"PROVISIONING", "SETUP", "SNAPSHOT", "RUNNING", "DEGRADED", "COMPLETED", "FAILED"})
    void aPipeThatHasNotTakenUpTheLastChangeIsStartedAgain(PipePhase phase) {
        assertThat(plan.next(pipe(Pipe.Wish.RUN), new PipeSight(phase, 0, 0, null), CLAIM, NOON)
                        .move())
                .isEqualTo(new Move.Start());
        assertThat(plan.next(
                                pipe(Pipe.Wish.RUN).withWant(Pipe.Wish.RUN, 1, NOON),
                                new PipeSight(phase, 2, 0, null),
                                CLAIM,
                                NOON)
                        .move())
                .isEqualTo(new Move.Start());
    }

    @Test
    void aPipeKeepsRunningWhileItTakesUpAChange() {
        assertThat(seen(Pipe.Wish.RUN, PipePhase.RUNNING, 0, null, NOON).phase())
                .isEqualTo(PipePhase.RUNNING);
        assertThat(seen(Pipe.Wish.RUN, PipePhase.STOPPED, 1, null, NOON).phase())
                .isEqualTo(PipePhase.PROVISIONING);
        assertThat(seen(Pipe.Wish.STOP, PipePhase.RUNNING, 1, null, NOON).phase())
                .isEqualTo(PipePhase.STOPPING);
    }

    @Test
    void aMissedDeadlineShowsAsAFailureWithASentence() {
        Instant late = NOON.plus(PipePlan.PATIENCE);
        assertThat(seen(Pipe.Wish.RUN, PipePhase.PROVISIONING, 1, null, late.minusNanos(1))
                        .trouble())
                .isNull();
        PipeSeen failed = seen(Pipe.Wish.RUN, PipePhase.PROVISIONING, 1, null, late);
        assertThat(failed.phase()).isEqualTo(PipePhase.FAILED);
        assertThat(failed.trouble()).isEqualTo("It did not get there within 15 minutes");
        assertThat(seen(Pipe.Wish.STOP, PipePhase.STOPPING, 1, null, late).phase())
                .isEqualTo(PipePhase.STOPPING);
        assertThat(seen(Pipe.Wish.RUN, PipePhase.RUNNING, 1, null, late).trouble())
                .isNull();
        assertThat(seen(Pipe.Wish.DELETE, PipePhase.ABSENT, 1, null, late).trouble())
                .isNull();
        assertThat(seen(Pipe.Wish.RUN, PipePhase.SNAPSHOT, 1, null, late).phase())
                .isEqualTo(PipePhase.SNAPSHOT);
    }

    @Test
    void theRunnersComplaintIsKept() {
        assertThat(seen(Pipe.Wish.RUN, PipePhase.FAILED, 1, "topic is missing", NOON)
                        .trouble())
                .isEqualTo("topic is missing");
        assertThat(seen(Pipe.Wish.RUN, PipePhase.UNKNOWN, 1, "no view", NOON))
                .isEqualTo(pipe(Pipe.Wish.RUN).seen());
        assertThat(plan.next(pipe(Pipe.Wish.RUN), new PipeSight(PipePhase.UNKNOWN, 1, 0, "no view"), CLAIM, NOON)
                        .move())
                .isEqualTo(new Move.BackOff("no view"));
    }

    private PipeSeen seen(Pipe.Wish wish, PipePhase phase, int generation, @Nullable String fault, Instant now) {
        return plan.next(pipe(wish), new PipeSight(phase, generation, 0, fault), CLAIM, now)
                .seen();
    }

    private static Pipe pipe(Pipe.Wish wish) {
        return new Pipe(
                new Head(new UUID(1, 1), new UUID(1, 2), NOON, 1),
                new UUID(1, 3),
                NOON,
                PipeKind.KAFKA,
                new Pipe.Configuration(
                        "pipe",
                        Tree.Members.NONE,
                        null,
                        Tree.Members.NONE,
                        new Tree.Items(List.of()),
                        Tree.Members.NONE,
                        PipeScaling.SMALLEST),
                new Pipe.Want(wish, 1, 0, Tree.Members.NONE, NOON),
                new PipeSeen(PipePhase.PROVISIONING, 1, 0, null, NOON));
    }
}
