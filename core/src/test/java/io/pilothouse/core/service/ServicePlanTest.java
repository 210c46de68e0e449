package io.pilothouse.core.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.engine.Move;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Kind;
import io.pilothouse.core.service.DataPlane.Database;
import io.pilothouse.core.service.DataPlane.Sight;
import io.pilothouse.core.service.ServicePlan.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The plan is a table: every case there is stands in one line of it, and in one only. */
class ServicePlanTest {
    /** wish, last seen, sighted, fits, late -> move, seen after; {@code *} is any, {@code !} is any but, {@code =} is that column. */
    private static final List<String> TABLE = """
            RUN         *         UNKNOWN                          *    *    BackOff  =seen
            RUN         *         ABSENT|STOPPED|BROKEN            *    *    Start    STARTING
            RUN         *         LOST                             *    *    Wait     LOST
            RUN         *         STARTING|STOPPING                *    no   Wait     =sight
            RUN         *         STARTING|STOPPING                *    yes  Start    STARTING
            RUN         *         RUNNING                          yes  *    Settled  RUNNING
            RUN         RUNNING   RUNNING                          no   *    Start    RUNNING
            RUN         !RUNNING  RUNNING                          no   *    Start    STARTING
            STOP|SLEEP  *         UNKNOWN                          *    *    BackOff  =seen
            STOP|SLEEP  *         ABSENT|LOST|STOPPED              *    *    Settled  =sight
            STOP|SLEEP  *         STARTING|RUNNING|BROKEN          *    *    Stop     STOPPING
            STOP|SLEEP  *         STOPPING                         *    no   Wait     STOPPING
            STOP|SLEEP  *         STOPPING                         *    yes  Stop     STOPPING
            DELETE      *         UNKNOWN                          *    no   BackOff  =seen
            DELETE      *         UNKNOWN                          *    yes  Erase    STOPPING
            DELETE      *         ABSENT|LOST                      *    *    Gone     =sight
            DELETE      *         STARTING|RUNNING|STOPPED|BROKEN  *    *    Erase    STOPPING
            DELETE      STOPPING  STOPPING                         *    no   Wait     STOPPING
            DELETE      !STOPPING STOPPING                         *    no   Erase    STOPPING
            DELETE      *         STOPPING                         *    yes  Erase    STOPPING
            """.lines().toList();

    private static final Duration LATE = Duration.ofHours(1);

    @Test
    void everyCaseIsInTheTableOnce() {
        for (PlanScene scene : scenes()) {
            List<String[]> rows = rows(scene);
            assertThat(rows).as("rows for %s", scene).hasSize(1);
            String[] row = rows.getFirst();
            Step step = scene.next();
            assertThat(step.move().getClass().getSimpleName()).as("%s", scene).isEqualTo(row[5]);
            Condition after = switch (row[6]) {
                case "=seen" -> scene.before();
                case "=sight" -> scene.sight();
                default -> Condition.valueOf(row[6]);
            };
            assertThat(step.seen().condition()).as("%s", scene).isEqualTo(after);
        }
    }

    @Test
    void everRanStaysTrueAndBecomesTrueOnceItRunsAsWanted() {
        for (PlanScene scene : scenes()) {
            boolean runs = scene.sight() == Condition.RUNNING && scene.fits();
            assertThat(scene.next().seen().everRan()).as("%s", scene).isEqualTo(scene.everRan() || runs);
        }
    }

    @Test
    void sinceMovesExactlyWhenTheConditionDoes() {
        for (PlanScene scene : scenes()) {
            Seen seen = scene.next().seen();
            boolean same = seen.condition() == scene.before();
            assertThat(seen.since()).as("%s", scene).isEqualTo(same ? PlanScene.WISHED : scene.now());
        }
    }

    @Test
    void nothingButDeletionErases() {
        for (PlanScene scene : scenes()) {
            if (scene.wish() != Wish.DELETE) {
                assertThat(scene.next().move()).as("%s", scene).isNotInstanceOfAny(Move.Erase.class, Move.Gone.class);
            }
        }
    }

    @Test
    void everyDelayHasASentenceUnlessThereIsNothingLeftToDo() {
        for (PlanScene scene : scenes()) {
            Step step = scene.next();
            boolean ends = step.move() instanceof Move.Settled && scene.sight() != Condition.LOST;
            boolean late = scene.elapsed().equals(LATE);
            if (late && !(step.move() instanceof Move.Gone)) {
                assertThat(step.seen().trouble() == null).as("%s", scene).isEqualTo(ends);
            }
        }
    }

    @Test
    void lostDataIsReportedAtOnceAndNeverStartedEmpty() {
        for (Wish wish : List.of(Wish.RUN, Wish.STOP, Wish.SLEEP)) {
            Step step =
                    PlanScene.of(wish, Condition.STOPPED, Condition.LOST).ran().next();
            assertThat(step.seen().trouble()).startsWith("Its data is not where it was");
        }
        Step known = PlanScene.of(Wish.RUN, Condition.STOPPED, Condition.LOST)
                .saying("Its disk burned")
                .next();
        assertThat(known.seen().trouble()).isEqualTo("Its disk burned");
        PlanScene back =
                PlanScene.of(Wish.RUN, Condition.LOST, Condition.STOPPED).ran();
        assertThat(back.troubled("Its data is not where it was").next().move()).isInstanceOf(Move.Start.class);
    }

    private static List<PlanScene> scenes() {
        List<PlanScene> scenes = new ArrayList<>();
        for (Wish wish : Wish.values()) {
            for (Condition before : Condition.values()) {
                for (Condition sight : Condition.values()) {
                    PlanScene plain = PlanScene.of(wish, before, sight);
                    for (PlanScene scene : List.of(
                            plain, plain.ran(), plain.fitting(), plain.ran().fitting())) {
                        scenes.add(scene.after(Duration.ofSeconds(1)));
                        scenes.add(scene.after(LATE));
                    }
                }
            }
        }
        return scenes;
    }

    private static List<String[]> rows(PlanScene scene) {
        List<String[]> rows = new ArrayList<>();
        for (String line : TABLE) {
            String[] row = line.trim().split("\\s+", -1);
            if (matches(row[0], scene.wish().name())
                    && matches(row[1], scene.before().name())
                    && matches(row[2], scene.sight().name())
                    && matches(row[3], scene.fits() ? "yes" : "no")
                    && matches(row[4], scene.elapsed().equals(LATE) ? "yes" : "no")) {
                rows.add(row);
            }
        }
        return rows;
    }

    private static boolean matches(String cell, String value) {
        if (cell.startsWith("!")) {
            return !cell.substring(1).equals(value);
        }
        return cell.equals("*") || List.of(cell.split("\\|", -1)).contains(value);
    }

    @ParameterizedTest
    @CsvSource({
        "RUN, STARTING, false, 599, ",
        "RUN, STARTING, false, 600, It did not start within 10 minutes",
        "RUN, STARTING, true, 299, ",
        "RUN, STARTING, true, 300, It did not start within 5 minutes",
        "STOP, STOPPING, true, 239, ",
        "STOP, STOPPING, true, 240, It did not stop within 4 minutes",
        "SLEEP, STOPPING, true, 240, It did not go to sleep within 4 minutes",
        "DELETE, STOPPING, true, 89, ",
        "DELETE, STOPPING, true, 90, It was not removed within 90 seconds",
    })
    void missedDeadlineIsShown(Wish wish, Condition sight, boolean everRan, int seconds, @Nullable String sentence) {
        PlanScene scene = PlanScene.of(wish, sight, sight).after(Duration.ofSeconds(seconds));
        assertThat((everRan ? scene.ran() : scene).next().seen().trouble()).isEqualTo(sentence);
    }

    @Test
    void faultOfTheFirstTriesIsNotYetTrouble() {
        PlanScene scene =
                PlanScene.of(Wish.RUN, Condition.STARTING, Condition.BROKEN).saying("No room");
        assertThat(tried(scene, 4).next().seen().trouble()).isNull();
        assertThat(tried(scene, 5).next().seen().trouble()).isEqualTo("No room");
    }

    @Test
    void faultThatLastsPastTheDeadlineIsPartOfTheSentence() {
        PlanScene scene =
                PlanScene.of(Wish.RUN, Condition.STARTING, Condition.STARTING).saying("No room");
        assertThat(scene.next().seen().trouble()).isNull();
        assertThat(scene.after(LATE).next().seen().trouble()).isEqualTo("It did not start within 10 minutes: No room");
    }

    @Test
    void whatAStartWaitsForIsShownAndIsNoTroubleBeforeTheDeadline() {
        PlanScene scene =
                PlanScene.of(Wish.RUN, Condition.STARTING, Condition.STARTING).saying("No room");
        assertThat(scene.next().seen().reason()).isEqualTo("No room");
        assertThat(ServiceState.of(Wish.RUN, false, scene.next().seen())).isEqualTo(ServiceState.PROVISIONING);
        assertThat(scene.after(LATE).next().seen().waiting()).isNull();
        assertThat(PlanScene.of(Wish.STOP, Condition.STARTING, Condition.STARTING)
                        .saying("No room")
                        .next()
                        .seen()
                        .reason())
                .isNull();
        assertThat(scene.next().seen().withTrouble(null).reason()).isNull();
    }

    @Test
    void aRunningServiceThatBreaksDownIsInTroubleAtOnce() {
        PlanScene scene =
                PlanScene.of(Wish.RUN, Condition.RUNNING, Condition.BROKEN).ran();
        assertThat(scene.saying("Out of memory").next().seen().trouble()).isEqualTo("Out of memory");
        assertThat(scene.next().seen().trouble()).isEqualTo("It broke down");
    }

    @Test
    void aServiceThatRunsWithAFailureIsSettledAndInTrouble() {
        Step step = PlanScene.of(Wish.RUN, Condition.RUNNING, Condition.RUNNING)
                .fitting()
                .saying("The disk is nearly full")
                .next();
        assertThat(step.move()).isInstanceOf(Move.Settled.class);
        assertThat(step.seen().trouble()).isEqualTo("The disk is nearly full");
    }

    @Test
    void aServiceThatStoppedAsWantedIsNeverInTrouble() {
        PlanScene scene =
                PlanScene.of(Wish.STOP, Condition.STOPPED, Condition.STOPPED).saying("It was killed");
        assertThat(scene.after(LATE).afterTries(9).next().seen().trouble()).isNull();
    }

    @Test
    void earlierSentenceStaysForAsLongAsTheTrouble() {
        PlanScene scene =
                PlanScene.of(Wish.RUN, Condition.STARTING, Condition.STARTING).troubled("No room");
        assertThat(scene.after(LATE).next().seen().trouble()).isEqualTo("No room");
        assertThat(tried(scene, 5).next().seen().trouble()).isEqualTo("No room");
        assertThat(scene.next().seen().trouble()).isNull();
        PlanScene runs =
                PlanScene.of(Wish.RUN, Condition.STARTING, Condition.RUNNING).fitting();
        assertThat(runs.troubled("No room").after(LATE).next().seen().trouble()).isNull();
    }

    @Test
    void failedMoveIsShownOnceItIsLateOrStubborn() {
        PlanScene scene = PlanScene.of(Wish.RUN, Condition.ABSENT, Condition.ABSENT);
        assertThat(afterFault(scene)).isNull();
        assertThat(afterFault(tried(scene, 5))).isEqualTo("No room");
        assertThat(afterFault(scene.after(LATE))).isEqualTo("It did not start within 10 minutes: No room");
    }

    private static PlanScene tried(PlanScene scene, int tries) {
        return scene.after(Duration.ofMinutes(1)).afterTries(tries);
    }

    @Test
    void failuresForAnEarlierWishCountNoMore() {
        PlanScene scene =
                PlanScene.of(Wish.DELETE, Condition.BROKEN, Condition.BROKEN).afterTries(20);
        assertThat(scene.next().tries()).isZero();
        assertThat(scene.after(Duration.ofMillis(250)).next().tries()).isEqualTo(1);
        assertThat(scene.after(Duration.ofMillis(1_250)).next().tries()).isEqualTo(2);
        assertThat(scene.after(Duration.ofHours(1)).next().tries()).isEqualTo(20);
    }

    private static @Nullable String afterFault(PlanScene scene) {
        return PlanScene.PLAN
                .afterFault(scene.next(), scene.service(), "No room", scene.now())
                .trouble();
    }

    @Test
    void anUnseenServiceSaysWhyItIsLeftAlone() {
        PlanScene scene = PlanScene.of(Wish.RUN, Condition.RUNNING, Condition.UNKNOWN);
        assertThat(scene.next().move()).isEqualTo(new Move.BackOff("It could not be looked at"));
        assertThat(scene.saying("No route").next().move()).isEqualTo(new Move.BackOff("No route"));
    }

    @Test
    void anUnseenServiceIsJudgedByItsDeadlineAlone() {
        PlanScene scene =
                PlanScene.of(Wish.RUN, Condition.RUNNING, Condition.UNKNOWN).saying("No route");
        PlanScene tried = tried(scene, 9);
        assertThat(tried.next().seen().trouble()).isNull();
        assertThat(afterFault(tried)).isNull();
        assertThat(tried.troubled("No room").next().seen().trouble()).isEqualTo("No room");
        assertThat(scene.after(LATE).next().seen().trouble()).isEqualTo("It did not start within 10 minutes: No route");
    }

    @Test
    void deadlineStartsWithTheWishOrTheTroubleWhicheverIsLater() {
        PlanScene scene = PlanScene.of(Wish.STOP, Condition.RUNNING, Condition.RUNNING);
        Service service = scene.service();
        Instant earlier = PlanScene.WISHED.minusSeconds(1_000);
        Instant later = PlanScene.WISHED.plusSeconds(1_000);
        assertThat(deadline(service, earlier)).isEqualTo(PlanScene.WISHED.plusSeconds(240));
        assertThat(deadline(service, later)).isEqualTo(later.plusSeconds(240));
    }

    private static Instant deadline(Service service, Instant unsettledSince) {
        Claim claim = new Claim(Kind.SERVICE, service.id(), 1, 0, 0, unsettledSince);
        Sight sight = new Sight(Condition.RUNNING, true, null, null);
        return PlanScene.PLAN.next(service, sight, claim, PlanScene.WISHED).deadline();
    }

    @Test
    void versionIsRememberedWhenItCannotBeSeen() {
        PlanScene scene = PlanScene.of(Wish.RUN, Condition.STARTING, Condition.RUNNING);
        Sight running = new Sight(Condition.RUNNING, true, new Database("25.8", List.of("https")), null);
        Seen seen = PlanScene.PLAN
                .next(scene.service(), running, scene.claim(), scene.now())
                .seen();
        assertThat(seen.dbVersion()).isEqualTo("25.8");
        assertThat(seen.speaks("https")).isTrue();
        assertThat(seen.speaks("mysql")).isFalse();
        Service known = scene.service().withSeen(seen);
        Sight stopped = new Sight(Condition.STOPPED, false, null, null);
        assertThat(PlanScene.PLAN
                        .next(known, stopped, scene.claim(), scene.now())
                        .seen()
                        .dbVersion())
                .isEqualTo("25.8");
    }

    @ParameterizedTest
    @CsvSource({"0, 250", "600, 250", "900, 300", "3000, 1000", "30000, 10000", "200000, 10000"})
    void aServiceUnderWayIsLookedAtLessAndLess(int elapsedMillis, int pauseMillis) {
        PlanScene scene =
                PlanScene.of(Wish.RUN, Condition.STARTING, Condition.STARTING).after(Duration.ofMillis(elapsedMillis));
        assertThat(scene.next().move()).isEqualTo(new Move.Wait(scene.now().plusMillis(pauseMillis)));
    }

    @ParameterizedTest
    @EnumSource(Wish.class)
    void sameSceneGivesTheSameStep(Wish wish) {
        PlanScene scene = PlanScene.of(wish, Condition.STARTING, Condition.RUNNING);
        assertThat(scene.next()).isEqualTo(scene.next());
    }
}
