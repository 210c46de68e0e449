package io.pilothouse.testkit.store;

import static io.pilothouse.testkit.store.StoreContractSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Release;
import io.pilothouse.core.port.Tasks.Urgency;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tasks: which are claimed, in which order, and by which claim. */
interface StoreContractClaims extends StoreContractHost {
    static void wake(Store store, UUID subject, Urgency urgency, Instant now) {
        store.<Boolean>write(tables -> {
            tables.tasks().wake(Tasks.Kind.SERVICE, subject, urgency, now);
            return true;
        });
    }

    static List<Claim> claim(Store store, Instant now, int limit) {
        return store.write(tables -> tables.tasks().claim("owner", now, now.plusSeconds(60), limit));
    }

    static boolean release(Store store, Claim claim, Release release, Instant now) {
        return store.write(tables -> tables.tasks().release(claim, release, now));
    }

    private UUID woken(Urgency urgency, Instant now) {
        UUID subject = UUID.randomUUID();
        wake(store(), subject, urgency, now);
        return subject;
    }

    @Test
    default void wokenTaskIsTakenAtOnceAndOnlyOnce() {
        UUID subject = woken(Urgency.NEW, NOW);
        List<Claim> claims = claim(store(), NOW, 10);
        assertThat(claims).hasSize(1);
        Claim claim = claims.getFirst();
        assertThat(claim.kind()).isEqualTo(Tasks.Kind.SERVICE);
        assertThat(claim.subjectId()).isEqualTo(subject);
        assertThat(claim.tries()).isZero();
        assertThat(claim.unsettledSince()).isEqualTo(NOW);
        assertThat(claim(store(), NOW, 10)).isEmpty();
    }

    private void endLeases(Instant now, Instant until) {
        store().<Boolean>write(tables -> {
            tables.tasks().endLeases(now, until);
            return true;
        });
    }

    @Test
    default void leaseOfADeadProcessIsEndedAndNoOther() {
        UUID later = woken(Urgency.CHANGED, NOW);
        Instant next = NOW.plusSeconds(30);
        assertThat(release(
                        store(), claim(store(), NOW, 1).getFirst(), new Release(next, Urgency.CHANGED, 0, true), NOW))
                .isTrue();
        UUID subject = woken(Urgency.CHANGED, NOW);
        Claim dead = claim(store(), NOW, 10).getFirst();

        endLeases(NOW, NOW.plusSeconds(59));
        assertThat(claim(store(), NOW, 10)).isEmpty();
        endLeases(NOW, NOW.plusSeconds(60));
        assertThat(claim(store(), NOW, 10)).extracting(Claim::subjectId).containsExactly(subject);
        assertThat(release(store(), dead, new Release(next, Urgency.CHANGED, 0, true), NOW))
                .isFalse();
        assertThat(claim(store(), next, 10)).extracting(Claim::subjectId).containsExactly(later);
    }

    @Test
    default void whatFailedBeginsAgainAndNothingElse() {
        UUID refused = UUID.randomUUID();
        store().change(tables -> tables.tasks().wake(Tasks.Kind.DELIVERY, refused, Urgency.CHANGED, NOW));
        release(
                store(),
                claim(store(), NOW, 1).getFirst(),
                new Release(NOW.plusSeconds(120), Urgency.ROUTINE, 7, false),
                NOW);
        UUID failed = woken(Urgency.CHANGED, NOW);
        Claim claim = claim(store(), NOW, 1).getFirst();
        release(store(), claim, new Release(NOW.plusSeconds(120), Urgency.ROUTINE, 7, false), NOW);
        UUID held = woken(Urgency.CHANGED, NOW);
        claim(store(), NOW, 1);
        UUID settled = woken(Urgency.CHANGED, NOW);
        release(
                store(),
                claim(store(), NOW, 1).getFirst(),
                new Release(NOW.plusSeconds(120), Urgency.ROUTINE, 0, true),
                NOW);
        UUID waiting = woken(Urgency.CHANGED, NOW.plusSeconds(120));

        Instant later = NOW.plusSeconds(9);
        store().change(tables -> tables.tasks().beginAgain(later));
        assertThat(claim(store(), later.minusNanos(1), 10)).isEmpty();
        Claim again = claim(store(), later, 10).getFirst();
        assertThat(again.subjectId()).isEqualTo(failed);
        assertThat(again.tries()).isZero();
        assertThat(again.unsettledSince()).isEqualTo(NOW);
        assertThat(claim(store(), NOW.plusSeconds(120), 10))
                .extracting(Claim::subjectId)
                .containsOnly(failed, refused, held, settled, waiting);
    }

    @Test
    default void clockThatGoesBackBringsForwardWhatNobodyHolds() {
        UUID later = woken(Urgency.ROUTINE, NOW.plusSeconds(3_600));
        UUID soon = woken(Urgency.CHANGED, NOW.plusSeconds(30));
        UUID held = woken(Urgency.NEW, NOW);
        claim(store(), NOW, 1);

        store().change(tables -> tables.tasks().bringForward(Duration.ofMinutes(59), NOW));
        assertThat(claim(store(), NOW, 10)).extracting(Claim::subjectId).containsExactly(soon);
        assertThat(claim(store(), NOW.plusSeconds(59), 10)).isEmpty();
        assertThat(claim(store(), NOW.plusSeconds(60), 10))
                .extracting(Claim::subjectId)
                .contains(held, later);
    }

    private Optional<Instant> latestUnsettled() {
        return store().read(tables -> tables.tasks().latestUnsettled());
    }

    @Test
    default void latestUnsettledTimeIsThatOfTheLastTaskToBecomeUnsettled() {
        assertThat(latestUnsettled()).isEmpty();
        woken(Urgency.NEW, NOW.plusSeconds(9));
        woken(Urgency.NEW, NOW);
        assertThat(latestUnsettled()).contains(NOW.plusSeconds(9));
    }

    @Test
    default void taskThatIsNotDueIsLeftAlone() {
        woken(Urgency.NEW, NOW);
        assertThat(claim(store(), NOW.minusNanos(1), 10)).isEmpty();
    }

    @Test
    default void urgentTasksComeFirstThenThoseLongestDue() {
        UUID routine = woken(Urgency.ROUTINE, NOW.minusSeconds(9));
        UUID changedLate = woken(Urgency.CHANGED, NOW);
        UUID changedEarly = woken(Urgency.CHANGED, NOW.minusNanos(1));
        UUID newLate = woken(Urgency.NEW, NOW.minusSeconds(1));
        UUID newEarly = woken(Urgency.NEW, NOW.minusSeconds(2));
        assertThat(claim(store(), NOW, 10))
                .extracting(Claim::subjectId)
                .containsExactly(newEarly, newLate, changedEarly, changedLate, routine);
    }

    @Test
    default void noMoreThanTheLimitAreTaken() {
        UUID routine = woken(Urgency.ROUTINE, NOW);
        UUID first = woken(Urgency.NEW, NOW.minusSeconds(1));
        UUID second = woken(Urgency.NEW, NOW);
        assertThat(claim(store(), NOW, 0)).isEmpty();
        assertThat(claim(store(), NOW, 1)).extracting(Claim::subjectId).containsExactly(first);
        assertThat(claim(store(), NOW, 2)).extracting(Claim::subjectId).containsExactly(second, routine);
    }

    @Test
    default void claimThatIsRolledBackLeavesTheTaskFree() {
        woken(Urgency.NEW, NOW);
        assertThatThrownBy(() -> store().write(tables -> {
            assertThat(tables.tasks().claim("owner", NOW, NOW.plusSeconds(60), 1))
                    .hasSize(1);
            throw new StoreContractTransactions.Mistake();
        }));
        assertThat(claim(store(), NOW, 1)).hasSize(1);
    }

    @Test
    default void leaseThatEndedIsTakenByAnotherUnderANewToken() {
        woken(Urgency.NEW, NOW);
        Claim old = claim(store(), NOW, 1).getFirst();
        assertThat(claim(store(), NOW.plusSeconds(60).minusNanos(1), 1)).isEmpty();
        Claim next = claim(store(), NOW.plusSeconds(60), 1).getFirst();
        assertThat(next.subjectId()).isEqualTo(old.subjectId());
        assertThat(next.token()).isNotEqualTo(old.token());
        assertThat(next.unsettledSince()).isEqualTo(NOW);
    }

    @Test
    default void oldTokenChangesNothing() {
        woken(Urgency.NEW, NOW);
        Claim old = claim(store(), NOW, 1).getFirst();
        Claim held = claim(store(), NOW.plusSeconds(60), 1).getFirst();
        Instant later = NOW.plusSeconds(61);
        store().<Boolean>write(tables -> {
            Tasks tasks = tables.tasks();
            assertThat(tasks.extend(old, later.plusSeconds(600))).isFalse();
            assertThat(tasks.release(old, new Release(NOW, Urgency.NEW, 9, true), later))
                    .isFalse();
            assertThat(tasks.finish(old)).isFalse();
            return true;
        });
        Claim again = claim(store(), NOW.plusSeconds(120), 1).getFirst();
        assertThat(again.tries()).isZero();
        assertThat(again.unsettledSince()).isEqualTo(NOW);
        assertThat(release(store(), held, new Release(later, Urgency.NEW, 0, true), later))
                .isFalse();
        assertThat(release(store(), again, new Release(later, Urgency.NEW, 0, true), later))
                .isTrue();
    }

    @Test
    default void extendedLeaseHolds() {
        woken(Urgency.NEW, NOW);
        Claim claim = claim(store(), NOW, 1).getFirst();
        assertWrite(tables -> tables.tasks().extend(claim, NOW.plusSeconds(90))).isEqualTo(true);
        assertThat(claim(store(), NOW.plusSeconds(60), 1)).isEmpty();
        assertThat(claim(store(), NOW.plusSeconds(90), 1)).hasSize(1);
    }

    @Test
    default void finishedTaskIsDeleted() {
        woken(Urgency.NEW, NOW);
        Claim claim = claim(store(), NOW, 1).getFirst();
        assertWrite(tables -> tables.tasks().finish(claim)).isEqualTo(true);
        assertWrite(tables -> tables.tasks().finish(claim)).isEqualTo(false);
        assertThat(claim(store(), NOW.plusSeconds(600), 1)).isEmpty();
        assertRead(tables -> tables.tasks().nextDue()).isEqualTo(Optional.empty());
    }

    @Test
    default void claimOnAFinishedTaskDoesNotFitItsSuccessor() {
        UUID subject = woken(Urgency.NEW, NOW);
        Claim old = claim(store(), NOW, 1).getFirst();
        Claim held = claim(store(), NOW.plusSeconds(60), 1).getFirst();
        store().<Boolean>write(tables -> tables.tasks().finish(held));
        wake(store(), subject, Urgency.NEW, NOW);
        claim(store(), NOW, 1);
        assertWrite(tables -> tables.tasks().finish(old)).isEqualTo(false);
        assertWrite(tables -> tables.tasks().finish(held)).isEqualTo(false);
    }

    @Test
    default void nextDueIsTheFirstTaskOrTheFirstLeaseToEnd() {
        assertRead(tables -> tables.tasks().nextDue()).isEqualTo(Optional.empty());
        woken(Urgency.ROUTINE, NOW);
        assertRead(tables -> tables.tasks().nextDue()).isEqualTo(Optional.of(NOW));
        claim(store(), NOW, 1);
        assertRead(tables -> tables.tasks().nextDue()).isEqualTo(Optional.of(NOW.plusSeconds(60)));
        woken(Urgency.CHANGED, NOW.plusSeconds(59));
        assertRead(tables -> tables.tasks().nextDue()).isEqualTo(Optional.of(NOW.plusSeconds(59)));
    }

    @Test
    default void aTaskSaysWhenItsSubjectIsLookedAtNext() {
        UUID subject = woken(Urgency.NEW, NOW);
        assertDue(subject, Optional.of(new Tasks.Due(NOW, false, false)));
        Claim claim = claim(store(), NOW, 1).getFirst();
        assertDue(subject, Optional.of(new Tasks.Due(NOW.plusSeconds(60), true, false)));
        assertWrite(tables -> tables.tasks()
                        .release(claim, new Tasks.Release(NOW.plusSeconds(5), Urgency.ROUTINE, 0, true), NOW))
                .isEqualTo(true);
        assertDue(subject, Optional.of(new Tasks.Due(NOW.plusSeconds(5), false, true)));
        assertDue(UUID.randomUUID(), Optional.empty());
        assertRead(tables -> tables.tasks().find(Tasks.Kind.BACKUP, subject)).isEqualTo(Optional.empty());
    }

    private void assertDue(UUID subject, Optional<Tasks.Due> due) {
        assertRead(tables -> tables.tasks().find(Tasks.Kind.SERVICE, subject)).isEqualTo(due);
    }

    @Test
    default void backlogCountsWhatIsDueAndWhatIsUnsettled() {
        woken(Urgency.NEW, NOW);
        woken(Urgency.CHANGED, NOW.plusSeconds(1));
        woken(Urgency.ROUTINE, NOW.plusSeconds(2));
        assertRead(tables -> tables.tasks().backlog(NOW.plusSeconds(1))).isEqualTo(new Tasks.Backlog(2, 3));
        Claim claim = claim(store(), NOW, 1).getFirst();
        assertRead(tables -> tables.tasks().backlog(NOW.plusSeconds(1))).isEqualTo(new Tasks.Backlog(1, 3));
        release(store(), claim, new Release(NOW.plusSeconds(600), Urgency.ROUTINE, 0, true), NOW);
        assertRead(tables -> tables.tasks().backlog(NOW.plusSeconds(1))).isEqualTo(new Tasks.Backlog(1, 2));
    }
}
