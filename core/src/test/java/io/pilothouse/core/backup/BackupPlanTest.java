package io.pilothouse.core.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.pilothouse.core.backup.Backup.Trigger;
import io.pilothouse.core.backup.BackupPlan.Look;
import io.pilothouse.core.backup.BackupProof.Outcome;
import io.pilothouse.core.backup.Backups.Progress;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.service.BackupConfiguration;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.PlanScene;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BackupPlanTest {
    private static final Archive MADE = new Archive(7, "5e");

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private final BackupPlan plan = new BackupPlan(PATIENCE, Pace.USUAL, Duration.ZERO);
    private final Service running = service(Wish.RUN, Condition.RUNNING);
    private final Service asleep = service(Wish.SLEEP, Condition.STOPPED);
    private final Service going = service(Wish.DELETE, Condition.RUNNING);
    private final Instant born = running.createdAt();
    private final Instant due = born.plus(Duration.ofHours(24));

    private static Service service(Wish wish, Condition condition) {
        return PlanScene.of(wish, condition, condition).ran().service();
    }

    private Backup asked(Instant at) {
        return Backup.of(running, UUID.randomUUID(), Trigger.SCHEDULE, at);
    }

    private Backup done(Instant at) {
        return asked(at).done(Archive.of(7), at.plusSeconds(60));
    }

    private static BackupScene scene(@Nullable Service service, Backup... backups) {
        return new BackupScene(service, List.of(backups), Set.of(), true);
    }

    private BackupMove next(BackupScene scene, Instant now) {
        return plan.next(scene, new Look.Nothing(), 0, now);
    }

    private BackupMove next(BackupScene scene, Progress progress, Instant now) {
        return plan.next(scene, new Look.Seen(progress), 0, now);
    }

    @Test
    void aServiceThatRunsIsBackedUpWhenItIsTime() {
        assertThat(next(scene(running), due.minusNanos(1))).isEqualTo(new BackupMove.NotDue(due));
        assertThat(next(scene(running), due)).isEqualTo(new BackupMove.Schedule(running));
    }

    @Test
    void theNextOneCountsFromTheLastThatWasScheduled() {
        Backup last = done(due);
        Backup byHand = Backup.of(running, UUID.randomUUID(), Trigger.DEMAND, due.plusSeconds(3_600))
                .done(Archive.of(1), due.plusSeconds(3_660));
        assertThat(next(scene(running, byHand, last), due.plusSeconds(7_200)))
                .isEqualTo(new BackupMove.NotDue(due.plus(Duration.ofHours(24))));
    }

    @Test
    void aServiceThatDoesNotRunWaitsUntilItDoes() {
        assertThat(next(scene(asleep), due)).isEqualTo(new BackupMove.NotDue(due.plus(Duration.ofDays(7))));
        Service starting = service(Wish.RUN, Condition.STARTING);
        assertThat(next(scene(starting), due)).isEqualTo(new BackupMove.NotDue(due.plus(Duration.ofDays(7))));
    }

    @Test
    void whereNoBackupIsPossibleNoneIsScheduled() {
        BackupScene scene = new BackupScene(running, List.of(), Set.of(), false);
        assertThat(next(scene, due)).isEqualTo(new BackupMove.NotDue(due.plus(Duration.ofDays(7))));
    }

    @Test
    void onlyThePrimaryServiceOfAWarehouseIsBackedUp() {
        Service secondary = PlanScene.secondary(running);
        assertThat(next(scene(secondary), due)).isEqualTo(new BackupMove.NotDue(due.plus(Duration.ofDays(7))));
    }

    @Test
    void theMoveFollowsFromWhatIsSeenOfTheBackup() {
        Backup backup = asked(due);
        BackupScene scene = scene(running, backup, done(born));
        assertThat(next(scene, new Progress.Unknown(), due)).isEqualTo(new BackupMove.Begin(running, backup));
        assertThat(next(scene, new Progress.UnderWay(), due.plusSeconds(3)))
                .isEqualTo(new BackupMove.Watch(backup, due.plusSeconds(4)));
        assertThat(next(scene, new Progress.Finished(MADE), due)).isEqualTo(new BackupMove.Finish(backup, MADE));
        assertThat(next(scene, new Progress.Failed("No disk"), due)).isEqualTo(new BackupMove.Fail(backup, "No disk"));
        assertThat(plan.next(scene, new Look.Blind("No view"), 0, due))
                .isEqualTo(new BackupMove.BackOff(backup, "No view"));
        assertThatIllegalStateException().isThrownBy(() -> next(scene, due));
    }

    @Test
    void aBackupUnderWayIsLookedAtNoLaterThanItsDeadline() {
        Backup backup = asked(due);
        Instant late = due.plus(PATIENCE);
        assertThat(next(scene(running, backup), new Progress.UnderWay(), late.minusSeconds(1)))
                .isEqualTo(new BackupMove.Watch(backup, late));
    }

    @Test
    void aBackupOfAServiceThatStoppedMeanwhileWaitsForIt() {
        Backup backup = asked(due);
        assertThat(next(scene(asleep, backup), new Progress.Unknown(), due))
                .isEqualTo(new BackupMove.Watch(backup, due.plus(PATIENCE)));
    }

    @Test
    void aMissedDeadlineIsAFailureWithASentence() {
        Backup backup = asked(due);
        Instant late = due.plus(PATIENCE);
        String sentence = "It was not finished within 10 minutes";
        assertThat(next(scene(running, backup), new Progress.UnderWay(), late))
                .isEqualTo(new BackupMove.Fail(backup, sentence));
        Backup troubled = backup.troubled("Busy");
        assertThat(next(scene(running, troubled), new Progress.Unknown(), late))
                .isEqualTo(new BackupMove.Fail(troubled, sentence + ": Busy"));
        assertThat(next(scene(asleep, backup), new Progress.Unknown(), late))
                .isEqualTo(new BackupMove.Fail(backup, sentence + ": the service did not run"));
        assertThat(plan.next(scene(running, backup), new Look.Blind("No view"), 0, late))
                .isEqualTo(new BackupMove.Fail(backup, sentence + ": No view"));
        assertThat(next(scene(running, backup), new Progress.Finished(MADE), late))
                .as("what is there in the end is welcome")
                .isEqualTo(new BackupMove.Finish(backup, MADE));
    }

    @Test
    void remainsAreClearedAndStubbornOnesHoldNothingUp() {
        Backup failed = asked(born.plusSeconds(2)).failed("No", born.plusSeconds(3));
        Backup leaving = done(born.plusSeconds(1)).leaving(born.plusSeconds(2));
        BackupScene scene = scene(running, failed, leaving);
        assertThat(next(scene, due.minusSeconds(1))).isEqualTo(new BackupMove.Clear(failed));
        assertThat(plan.next(scene, new Look.Nothing(), 1, due.minusSeconds(1)))
                .isEqualTo(new BackupMove.Clear(leaving));
        assertThat(next(scene, due.plus(Duration.ofDays(1)))).isEqualTo(new BackupMove.Schedule(running));
    }

    @Test
    void aBackupIsDeletedWhenItsTimeIsUpAndANewerOneIsThere() {
        Backup old = done(due.minus(Duration.ofHours(24)));
        Instant end = old.createdAt().plusSeconds(60).plus(Duration.ofHours(24));
        Backup newer = done(due);
        assertThat(next(scene(running, newer, old), end.minusSeconds(1))).isEqualTo(new BackupMove.NotDue(end));
        assertThat(next(scene(running, newer, old), end)).isEqualTo(new BackupMove.Retire(old));
        Backup failed = asked(due).failed("No", due).cleared();
        assertThat(next(scene(running, failed, old), end))
                .as("a failure is no newer backup")
                .isEqualTo(new BackupMove.NotDue(due.plus(Duration.ofHours(24))));
    }

    @Test
    void theNewestBackupOfASleepingServiceOutlivesItsTime() {
        Instant muchLater = due.plus(Duration.ofDays(99));
        assertThat(next(scene(asleep, done(born)), muchLater))
                .isEqualTo(new BackupMove.NotDue(muchLater.plus(Duration.ofDays(7))));
    }

    @Test
    void aFailedBackupIsShownForAsLongAsBackupsAreKept() {
        Backup failed = asked(born).failed("No", born).cleared();
        assertThat(next(scene(asleep, failed), due.minusNanos(1))).isEqualTo(new BackupMove.NotDue(due));
        assertThat(next(scene(asleep, failed), due)).isEqualTo(new BackupMove.Retire(failed));
    }

    @Test
    void aBackupThatIsStillRestoredFromIsHeld() {
        Backup old = done(born);
        Backup newer = done(due);
        Instant end = due.plus(Duration.ofHours(1));
        BackupScene held = new BackupScene(running, List.of(newer, old), Set.of(old.id()), true);
        assertThat(next(held, end)).isEqualTo(new BackupMove.NotDue(end.plus(Duration.ofHours(1))));
    }

    @Test
    void aDeletedServiceKeepsItsFinishedBackupsOnly() {
        Backup half = asked(due);
        assertThat(next(scene(going, half), due)).isEqualTo(new BackupMove.Retire(half));
        assertThat(next(scene(null, half), due)).isEqualTo(new BackupMove.Retire(half));
        Backup whole = done(born);
        Instant end = born.plusSeconds(60).plus(Duration.ofHours(24));
        assertThat(next(scene(going, whole), due)).isEqualTo(new BackupMove.NotDue(end));
        assertThat(next(scene(null, whole.keptFor(48)), due))
                .isEqualTo(new BackupMove.NotDue(end.plus(Duration.ofHours(24))));
        assertThat(next(scene(null, whole), end)).isEqualTo(new BackupMove.Retire(whole));
        assertThat(next(scene(null), end)).isEqualTo(new BackupMove.Gone());
    }

    @Test
    void howLongABackupIsKeptIsUpToWhatItsServiceSaysNow() {
        Service longer = running.withBackups(new BackupConfiguration(24, 48, null));
        Backup old = done(born);
        Instant end = born.plusSeconds(60).plus(Duration.ofHours(24));
        assertThat(next(scene(longer, done(due), old), end))
                .isEqualTo(new BackupMove.NotDue(due.plus(Duration.ofHours(24))));
    }

    private static final Duration WEEK = Duration.ofDays(7);
    private final BackupPlan proving = new BackupPlan(PATIENCE, Pace.USUAL, WEEK);

    private BackupMove next(BackupScene scene, Proving how, Instant now) {
        return proving.next(scene, new Look.SeenProof(how), 0, now);
    }

    private static Backup proven(Backup backup, Outcome outcome, Instant at) {
        return backup.proven(new BackupProof(at, outcome, 1, 2, null));
    }

    @Test
    void theNewestFinishedBackupIsProven() {
        Backup newest = done(due);
        BackupScene scene = scene(running, newest);
        Instant now = due.plusSeconds(3_600);
        Instant tomorrow = due.plus(Duration.ofHours(24));
        Proving.Ended end = new Proving.Ended(Outcome.RESTORABLE, 3, 4, null);

        assertThat(proving.toProve(scene, now)).contains(newest);
        assertThat(next(scene, new Proving.Idle(), now)).isEqualTo(new BackupMove.Prove(newest));
        assertThat(next(scene, new Proving.UnderWay(), now)).isEqualTo(new BackupMove.NotDue(now.plusSeconds(10)));
        assertThat(next(scene, new Proving.Busy(), now)).isEqualTo(new BackupMove.NotDue(now.plusSeconds(600)));
        assertThat(next(scene, new Proving.Busy(), tomorrow.minusSeconds(1)))
                .isEqualTo(new BackupMove.NotDue(tomorrow));
        assertThat(next(scene, end, now))
                .isEqualTo(new BackupMove.Proven(newest, new BackupProof(now, Outcome.RESTORABLE, 3, 4, null)));
        assertThat(proving.next(scene, new Look.Blind("No view"), 0, now))
                .isEqualTo(new BackupMove.NotDue(now.plusSeconds(600)));
        assertThat(proving.next(scene, new Look.Nothing(), 0, now)).isEqualTo(new BackupMove.NotDue(now));
        assertThat(proving.next(scene, new Look.Seen(new Progress.UnderWay()), 0, now))
                .isEqualTo(new BackupMove.NotDue(now));
    }

    @Test
    void oneBackupOfAServiceIsAlwaysKnownToBeGood() {
        Instant now = due.plusSeconds(3_600);
        Backup older = proven(
                done(due.minusSeconds(60)), Outcome.RESTORABLE, now.minus(WEEK).plusSeconds(60));

        BackupScene scene = scene(running, done(due), older);

        assertThat(proving.toProve(scene, now)).isEmpty();
        assertThat(proving.next(scene, new Look.Nothing(), 0, now))
                .isEqualTo(new BackupMove.NotDue(now.plusSeconds(60)));
        assertThat(proving.toProve(scene, now.plusSeconds(60)))
                .contains(scene.backups().getFirst());
    }

    @Test
    void aDamagedBackupProvesNothingOfTheNextAndIsNotTriedAgainAtOnce() {
        Instant now = due.plusSeconds(3_600);
        Backup damaged = proven(done(born), Outcome.DAMAGED, now);

        assertThat(proving.toProve(scene(running, damaged), now.plusSeconds(9))).isEmpty();
        assertThat(proving.toProve(scene(running, damaged), now.plus(WEEK))).contains(damaged);
        assertThat(proving.toProve(scene(running, done(due), damaged), now)).isPresent();
    }

    @Test
    void aProofThatCouldNotBeTriedIsTriedAgainTheNextDay() {
        Instant now = due.plusSeconds(3_600);
        BackupScene scene = scene(running, proven(done(due), Outcome.UNTRIED, now));

        assertThat(proving.toProve(scene, now.plus(Duration.ofDays(1)).minusNanos(1)))
                .isEmpty();
        assertThat(proving.toProve(scene, now.plus(Duration.ofDays(1)))).isPresent();
    }

    @Test
    void nothingIsProvenWhereItIsNotAskedForNorWhileABackupIsMadeNorOfWhatIsGone() {
        Instant now = due.plusSeconds(3_600);
        assertThat(plan.toProve(scene(running, done(due)), now)).isEmpty();
        assertThat(proving.toProve(scene(running, asked(due), done(born)), now)).isEmpty();
        assertThat(proving.toProve(scene(running), now)).isEmpty();
        assertThat(proving.toProve(scene(going, done(due)), now)).isEmpty();
        assertThat(proving.toProve(scene(null, done(due)), now)).isEmpty();
        assertThatIllegalStateException().isThrownBy(() -> next(scene(running, asked(due)), new Proving.Idle(), due));
    }

    @Test
    void aProofThatSomebodyWaitsForIsDueAtOnceAndLookedAfterOften() {
        Instant now = due.plusSeconds(3_600);
        Backup newest = proven(done(due), Outcome.RESTORABLE, now.minusSeconds(60));
        BackupScene scene = scene(running, newest).asked(Optional.of(now));

        assertThat(proving.toProve(scene, now)).contains(newest);
        assertThat(plan.toProve(scene, now)).contains(newest);
        assertThat(next(scene, new Proving.Idle(), now)).isEqualTo(new BackupMove.Prove(newest));
        assertThat(next(scene, new Proving.Busy(), now.plusSeconds(3)))
                .isEqualTo(new BackupMove.NotDue(now.plusSeconds(4)));
        assertThat(proving.toProve(scene(going, newest).asked(Optional.of(now)), now))
                .isEmpty();
        assertThat(scene.asked(Optional.empty())).isEqualTo(scene(running, newest));
    }

    @Test
    void theNewestGoodBackupOutlivesItsTimeAndNotADamagedOne() {
        Backup damaged = proven(done(due), Outcome.DAMAGED, due.plusSeconds(99));
        Backup good = done(born);
        assertThat(scene(running, damaged, good).expiry(good)).isEmpty();
        assertThat(scene(running, damaged, good).expiry(damaged)).isPresent();
        assertThat(scene(running, damaged).expiry(damaged)).isEmpty();
    }
}
