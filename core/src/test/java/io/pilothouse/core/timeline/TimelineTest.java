package io.pilothouse.core.timeline;

import static io.pilothouse.core.timeline.Scene.after;
import static io.pilothouse.core.timeline.Scene.saying;
import static io.pilothouse.core.timeline.Scene.service;
import static io.pilothouse.core.timeline.Scene.sight;
import static io.pilothouse.core.timeline.Scene.step;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.pilothouse.core.engine.Move;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane.Sight;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePlan.Step;
import io.pilothouse.core.service.ServiceState;
import io.pilothouse.core.service.Wish;
import io.pilothouse.core.timeline.Happening.Call;
import io.pilothouse.core.timeline.Happening.What;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a process remembers of services: everything new, nothing that is as it was, and never too much. */
class TimelineTest {
    private static final Instant BEGUN = Scene.WISHED;
    private static final int PASSES = 10_000;
    private static final What UP = new What.Turn(ServiceState.STARTING, ServiceState.RUNNING, null);
    private static final What DOWN = new What.Turn(ServiceState.RUNNING, ServiceState.DEGRADED, "It broke down");

    private final Timeline timeline = new Timeline(BEGUN);
    private final Service stopped = service(Wish.RUN, Condition.STOPPED);
    private final Service running = service(Wish.RUN, Condition.RUNNING);

    private void passed(Service service, Sight sight, Move move, Instant now) {
        timeline.passed(service, sight, step(service, move), null, now);
    }

    private List<What> whats(Service service) {
        return timeline.of(service.id()).happenings().stream()
                .map(Happening::what)
                .toList();
    }

    @Test
    void aLookAndTheMoveAfterItAreKeptNewestFirst() {
        passed(stopped, sight(Condition.STOPPED), new Move.Start(), after(1));
        assertThat(timeline.of(stopped.id()).happenings())
                .containsExactly(
                        Happening.once(after(1), new What.Act(Call.START, Wish.RUN, Condition.STOPPED, null)),
                        Happening.once(after(1), new What.Look(Condition.STOPPED, true, null)));
        assertThat(timeline.of(stopped.id()).since()).isEqualTo(BEGUN);
    }

    @Test
    void everyCallToThePlaneHasItsName() {
        Service deleted = service(Wish.DELETE, Condition.RUNNING);
        Service toStop = service(Wish.STOP, Condition.RUNNING);
        passed(toStop, sight(Condition.RUNNING), new Move.Stop(), after(1));
        passed(deleted, sight(Condition.RUNNING), new Move.Erase(), after(2));
        assertThat(whats(deleted))
                .containsExactly(
                        new What.Act(Call.ERASE, Wish.DELETE, Condition.RUNNING, null),
                        new What.Act(Call.STOP, Wish.STOP, Condition.RUNNING, null),
                        new What.Look(Condition.RUNNING, true, null));
    }

    @Test
    void aLookThatShowsNothingNewIsNotKept() {
        passed(stopped, sight(Condition.STARTING), new Move.Wait(after(2)), after(1));
        passed(stopped, sight(Condition.STARTING), new Move.Wait(after(3)), after(2));
        passed(stopped, new Sight(Condition.STARTING, false, null, null), new Move.Wait(after(4)), after(3));
        passed(stopped, saying(Condition.STARTING, "It waits"), new Move.Wait(after(5)), after(4));
        assertThat(timeline.of(stopped.id()).happenings()).hasSize(3).allMatch(each -> each.times() == 1);
    }

    @Test
    void aPassThatOnlyComesBackOrEndsAsksThePlaneForNothing() {
        passed(stopped, sight(Condition.STARTING), new Move.BackOff("No room"), after(1));
        passed(stopped, sight(Condition.ABSENT), new Move.Gone(), after(2));
        assertThat(whats(stopped))
                .containsExactly(
                        new What.Look(Condition.ABSENT, true, null), new What.Look(Condition.STARTING, true, null));
    }

    @Test
    void whatIsSettledAndAsItWasLeavesNothingWhereNothingIsKept() {
        passed(running, sight(Condition.RUNNING), new Move.Settled(), after(1));
        assertThat(timeline.of(running.id()).happenings()).isEmpty();
    }

    @Test
    void whatHasJustSettledIsKept() {
        Step step = new Step(new Move.Settled(), running.seen(), Instant.MAX, 0, null);
        timeline.passed(stopped, sight(Condition.RUNNING), step, null, after(1));
        passed(stopped, sight(Condition.RUNNING), new Move.Settled(), after(2));
        assertThat(whats(stopped)).containsExactly(new What.Look(Condition.RUNNING, true, null));
    }

    @Test
    void aCallThatFailsAgainAndAgainIsOneLine() {
        Step start = step(stopped, new Move.Start());
        for (int second = 1; second <= 3; second++) {
            timeline.passed(stopped, sight(Condition.STOPPED), start, "No room", after(second));
        }
        Happening last = timeline.of(stopped.id()).happenings().getFirst();
        assertThat(last)
                .isEqualTo(new Happening(
                        after(1), after(3), 3, new What.Act(Call.START, Wish.RUN, Condition.STOPPED, "No room")));
        timeline.passed(stopped, sight(Condition.STOPPED), start, null, after(4));
        assertThat(timeline.of(stopped.id()).happenings()).hasSize(3);
    }

    @Test
    void aCallThatFailsOnIsStillOneLineOnceItsServiceIsInTrouble() {
        Step start = step(stopped, new Move.Start());
        timeline.passed(stopped, sight(Condition.STOPPED), start, "No room", after(1));
        timeline.turned(stopped.id(), DOWN, after(1));
        timeline.passed(stopped, sight(Condition.STOPPED), start, "No room", after(2));
        assertThat(timeline.of(stopped.id()).happenings())
                .extracting(Happening::times)
                .containsExactly(2, 1, 1);
        timeline.turned(stopped.id(), UP, after(3));
        timeline.turned(stopped.id(), DOWN, after(4));
        assertThat(timeline.of(stopped.id()).happenings()).hasSize(5);
    }

    @Test
    void aLookThatFailsAgainAndAgainIsOneLine() {
        Move later = new Move.BackOff("No answer");
        passed(running, saying(Condition.UNKNOWN, "No answer"), later, after(1));
        passed(running, saying(Condition.UNKNOWN, "No answer"), later, after(2));
        assertThat(timeline.of(running.id()).happenings())
                .containsExactly(
                        new Happening(after(1), after(2), 2, new What.Look(Condition.UNKNOWN, false, "No answer")));
        Service deleted = service(Wish.DELETE, Condition.RUNNING);
        passed(deleted, saying(Condition.UNKNOWN, "No answer"), new Move.Erase(), after(3));
        assertThat(timeline.of(running.id()).happenings()).hasSize(2);
    }

    @Test
    void aCallIsUnderWayUntilThePassHasActed() {
        timeline.acting(stopped, step(stopped, new Move.Start()), after(1));
        assertThat(timeline.of(stopped.id()).underWay()).isEqualTo(new Timeline.UnderWay(Call.START, after(1)));
        passed(stopped, sight(Condition.STOPPED), new Move.Start(), after(1));
        assertThat(timeline.of(stopped.id()).underWay()).isNull();
        timeline.acting(stopped, step(stopped, new Move.Gone()), after(2));
        assertThat(timeline.of(stopped.id()).underWay()).isNull();
    }

    @Test
    void aChangeOfStateIsKeptUntilNothingIsLeftOfTheService() {
        timeline.turned(running.id(), UP, after(1));
        assertThat(whats(running)).containsExactly(UP);
        timeline.forget(running.id());
        timeline.forget(running.id());
        assertThat(whats(running)).isEmpty();
    }

    @Test
    void ofAServiceThatWasPutBackNothingBeforeThatCounts() {
        UUID untouched = UUID.randomUUID();
        timeline.turned(running.id(), UP, after(1));
        timeline.turned(untouched, UP, after(1));
        timeline.forget(Set.of(running.id(), UUID.randomUUID()), after(2));
        assertThat(timeline.of(running.id())).isEqualTo(new Timeline.Kept(List.of(), after(2), null));
        assertThat(timeline.of(untouched).since()).isEqualTo(BEGUN);
        assertThat(timeline.of(untouched).happenings()).hasSize(1);
    }

    @Test
    void theOldestOfAServiceGoesFirstAndTheAnswerSaysSinceWhen() {
        for (int second = 1; second <= Timeline.MAX_OF_SERVICE + 2; second++) {
            timeline.turned(running.id(), second % 2 == 0 ? UP : DOWN, after(second));
        }
        Timeline.Kept kept = timeline.of(running.id());
        assertThat(kept.happenings()).hasSize(Timeline.MAX_OF_SERVICE);
        assertThat(kept.happenings().getLast().at()).isEqualTo(after(3));
        assertThat(kept.since()).isEqualTo(after(2));
    }

    @Test
    void theServiceToWhichNothingHasHappenedForLongestGoesFirst() {
        Timeline small = new Timeline(BEGUN, 1_500);
        UUID first = new UUID(0, 1);
        UUID second = new UUID(0, 2);
        UUID third = new UUID(0, 3);
        small.turned(first, UP, after(1));
        small.turned(second, UP, after(2));
        small.turned(first, DOWN, after(3));
        small.turned(third, UP, after(4));
        assertThat(small.of(second).happenings()).isEmpty();
        assertThat(small.of(second).since()).isEqualTo(after(2));
        assertThat(small.of(first).happenings()).hasSize(2);
        assertThat(small.of(first).since()).isEqualTo(BEGUN);
        assertThat(small.of(third).since()).isEqualTo(BEGUN);
    }

    @Test
    void oneServiceIsKeptHoweverLittleRoomThereIs() {
        Timeline none = new Timeline(BEGUN, 1);
        none.acting(running, step(running, new Move.Stop()), after(1));
        none.turned(new UUID(0, 1), UP, after(2));
        assertThat(none.of(running.id()).underWay()).isNull();
        assertThat(none.of(running.id()).since()).isEqualTo(BEGUN);
        none.turned(new UUID(0, 1), DOWN, after(3));
        assertThat(none.of(new UUID(0, 1)).happenings()).hasSize(2);
    }

    @Test
    void aLongTextIsCutButNotWithinACharacter() {
        assertThat(new What.Look(Condition.BROKEN, false, "x".repeat(501)).text())
                .hasSize(500);
        String pair = "\uD83D\uDEA2";
        assertThat(new What.Look(Condition.BROKEN, false, "x".repeat(499) + pair).text())
                .isEqualTo("x".repeat(499));
    }

    private static long allocated(Runnable pass) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < PASSES; i++) {
                pass.run();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least / PASSES;
    }

    @Test
    void aPassThatFindsEverythingAsItWasAllocatesNothing() {
        Sight sight = sight(Condition.RUNNING);
        Step settled = step(running, new Move.Settled());
        Instant now = after(1);
        assertThat(allocated(() -> idle(running, sight, settled, now)))
                .as("bytes for a service of which nothing is kept")
                .isZero();
        passed(running, sight(Condition.RUNNING), new Move.Start(), now);
        assertThat(allocated(() -> idle(running, sight, settled, now)))
                .as("bytes for a service of which something is kept")
                .isZero();
    }

    private void idle(Service service, Sight sight, Step step, Instant now) {
        timeline.acting(service, step, now);
        timeline.passed(service, sight, step, null, now);
    }

    @Test
    void aMoveAllocatesLittle() {
        Instant now = after(1);
        Step start = step(stopped, new Move.Start());
        Step stop = step(stopped, new Move.Stop());
        Sight sight = sight(Condition.STOPPED);
        assertThat(allocated(() -> {
                    idle(stopped, sight, start, now);
                    idle(stopped, sight, stop, now);
                }))
                .as("bytes for two moves")
                .isLessThan(400);
    }
}
