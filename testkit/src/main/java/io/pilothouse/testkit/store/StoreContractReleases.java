package io.pilothouse.testkit.store;

import static io.pilothouse.testkit.store.StoreContractClaims.claim;
import static io.pilothouse.testkit.store.StoreContractClaims.release;
import static io.pilothouse.testkit.store.StoreContractClaims.wake;
import static io.pilothouse.testkit.store.StoreContractSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Release;
import io.pilothouse.core.port.Tasks.Urgency;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tasks given back: naps, wakes that win over them, and the time since which a thing is not as it should be. */
interface StoreContractReleases extends StoreContractHost {
    private Claim claimed(UUID subject, Urgency urgency) {
        wake(store(), subject, urgency, NOW);
        return claim(store(), NOW, 1).getFirst();
    }

    private Claim claimed() {
        return claimed(UUID.randomUUID(), Urgency.NEW);
    }

    private static Release nap(int seconds, Urgency urgency, boolean settled) {
        return new Release(NOW.plusSeconds(seconds), urgency, 0, settled);
    }

    @Test
    default void releasedTaskNapsUntilItIsDue() {
        Claim claim = claimed();
        assertThat(release(store(), claim, new Release(NOW.plusSeconds(5), Urgency.CHANGED, 3, false), NOW))
                .isTrue();
        assertThat(claim(store(), NOW.plusSeconds(5).minusNanos(1), 1)).isEmpty();
        Claim next = claim(store(), NOW.plusSeconds(5), 1).getFirst();
        assertThat(next.tries()).isEqualTo(3);
        assertThat(next.unsettledSince()).isEqualTo(NOW);
        assertThat(next.token()).isNotEqualTo(claim.token());
    }

    @Test
    default void taskIsGivenBackOnce() {
        Claim claim = claimed();
        assertThat(release(store(), claim, nap(5, Urgency.NEW, true), NOW)).isTrue();
        assertThat(release(store(), claim, nap(0, Urgency.NEW, false), NOW)).isFalse();
        assertWrite(tables -> tables.tasks().extend(claim, NOW)).isEqualTo(false);
        assertWrite(tables -> tables.tasks().finish(claim)).isEqualTo(false);
        assertRead(tables -> tables.tasks().nextDue()).isEqualTo(Optional.of(NOW.plusSeconds(5)));
    }

    @Test
    default void leaseThatEndedUnnoticedCanStillBeGivenBack() {
        Claim claim = claimed();
        Instant late = NOW.plusSeconds(3600);
        assertThat(release(store(), claim, new Release(late.plusSeconds(5), Urgency.NEW, 0, true), late))
                .isTrue();
        assertThat(claim(store(), late, 1)).isEmpty();
    }

    @Test
    default void wakeDuringANapEndsIt() {
        UUID subject = UUID.randomUUID();
        release(store(), claimed(subject, Urgency.NEW), nap(600, Urgency.ROUTINE, true), NOW);
        wake(store(), subject, Urgency.CHANGED, NOW.plusSeconds(1));
        assertThat(claim(store(), NOW.plusSeconds(1), 1)).hasSize(1);
    }

    @Test
    default void wakeOfADueTaskLeavesItsTurn() {
        UUID subject = UUID.randomUUID();
        UUID other = UUID.randomUUID();
        wake(store(), subject, Urgency.NEW, NOW);
        wake(store(), other, Urgency.NEW, NOW.plusSeconds(1));
        wake(store(), subject, Urgency.NEW, NOW.plusSeconds(2));
        assertThat(claim(store(), NOW.plusSeconds(2), 2))
                .extracting(Claim::subjectId)
                .containsExactly(subject, other);
    }

    @Test
    default void wakeDuringAClaimWinsOverTheNap() {
        UUID subject = UUID.randomUUID();
        Claim claim = claimed(subject, Urgency.ROUTINE);
        wake(store(), subject, Urgency.CHANGED, NOW.plusSeconds(1));
        assertThat(claim(store(), NOW.plusSeconds(2), 1)).isEmpty();
        assertThat(release(store(), claim, nap(600, Urgency.ROUTINE, true), NOW.plusSeconds(3)))
                .isTrue();
        Claim next = claim(store(), NOW.plusSeconds(3), 1).getFirst();
        assertThat(release(store(), next, nap(600, Urgency.ROUTINE, true), NOW.plusSeconds(4)))
                .isTrue();
        assertThat(claim(store(), NOW.plusSeconds(599), 1)).isEmpty();
    }

    @Test
    default void wakeDuringAClaimKeepsItsUrgency() {
        UUID subject = UUID.randomUUID();
        UUID routine = UUID.randomUUID();
        Claim claim = claimed(subject, Urgency.ROUTINE);
        wake(store(), routine, Urgency.ROUTINE, NOW);
        wake(store(), subject, Urgency.CHANGED, NOW.plusSeconds(1));
        release(store(), claim, nap(600, Urgency.ROUTINE, true), NOW.plusSeconds(2));
        assertThat(claim(store(), NOW.plusSeconds(2), 2))
                .extracting(Claim::subjectId)
                .containsExactly(subject, routine);
    }

    @Test
    default void wakeBeforeALostClaimIsNotLost() {
        UUID subject = UUID.randomUUID();
        claimed(subject, Urgency.NEW);
        wake(store(), subject, Urgency.CHANGED, NOW.plusSeconds(1));
        Claim second = claim(store(), NOW.plusSeconds(60), 1).getFirst();
        // The second pass looks after the wake, so it may nap.
        release(store(), second, nap(600, Urgency.ROUTINE, true), NOW.plusSeconds(61));
        assertThat(claim(store(), NOW.plusSeconds(61), 1)).isEmpty();
    }

    @Test
    default void lessUrgentWakeDoesNotLowerTheUrgency() {
        UUID subject = UUID.randomUUID();
        UUID changed = UUID.randomUUID();
        wake(store(), changed, Urgency.CHANGED, NOW.minusSeconds(9));
        wake(store(), subject, Urgency.NEW, NOW);
        wake(store(), subject, Urgency.ROUTINE, NOW);
        assertThat(claim(store(), NOW, 1)).extracting(Claim::subjectId).containsExactly(subject);
    }

    @Test
    default void releaseDecidesTheUrgency() {
        UUID calm = UUID.randomUUID();
        UUID changed = UUID.randomUUID();
        release(store(), claimed(calm, Urgency.NEW), nap(1, Urgency.ROUTINE, false), NOW);
        wake(store(), changed, Urgency.CHANGED, NOW.plusSeconds(2));
        assertThat(claim(store(), NOW.plusSeconds(2), 2))
                .extracting(Claim::subjectId)
                .containsExactly(changed, calm);
    }

    @Test
    default void unsettledTimeStartsAtTheFirstWake() {
        UUID subject = UUID.randomUUID();
        wake(store(), subject, Urgency.NEW, NOW);
        wake(store(), subject, Urgency.NEW, NOW.plusSeconds(1));
        assertThat(claim(store(), NOW.plusSeconds(1), 1).getFirst().unsettledSince())
                .isEqualTo(NOW);
    }

    @Test
    default void settledTaskStartsOverWithTheNextWake() {
        UUID subject = UUID.randomUUID();
        release(store(), claimed(subject, Urgency.NEW), nap(600, Urgency.ROUTINE, true), NOW);
        wake(store(), subject, Urgency.CHANGED, NOW.plusSeconds(9));
        assertThat(claim(store(), NOW.plusSeconds(9), 1).getFirst().unsettledSince())
                .isEqualTo(NOW.plusSeconds(9));
    }

    @Test
    default void wakeThatTheSettledPassDidNotSeeStartsItsOwnTime() {
        UUID subject = UUID.randomUUID();
        Claim claim = claimed(subject, Urgency.NEW);
        wake(store(), subject, Urgency.CHANGED, NOW.plusSeconds(1));
        release(store(), claim, nap(600, Urgency.ROUTINE, true), NOW.plusSeconds(2));
        assertThat(claim(store(), NOW.plusSeconds(2), 1).getFirst().unsettledSince())
                .isEqualTo(NOW.plusSeconds(2));
        assertThat(store().read(tables -> tables.tasks().backlog(NOW)).unsettled())
                .isEqualTo(1);
    }

    @Test
    default void routineLookThatFindsTroubleStartsTheTime() {
        UUID subject = UUID.randomUUID();
        release(store(), claimed(subject, Urgency.NEW), nap(10, Urgency.ROUTINE, true), NOW);
        Claim look = claim(store(), NOW.plusSeconds(10), 1).getFirst();
        assertThat(look.unsettledSince()).isEqualTo(NOW.plusSeconds(10));
        assertThat(store().read(tables -> tables.tasks().backlog(NOW)).unsettled())
                .isZero();
        release(store(), look, nap(20, Urgency.ROUTINE, false), NOW.plusSeconds(11));
        assertThat(claim(store(), NOW.plusSeconds(20), 1).getFirst().unsettledSince())
                .isEqualTo(NOW.plusSeconds(10));
    }

    @Test
    default void napMayLastForEver() {
        Claim claim = claimed();
        assertThat(release(store(), claim, new Release(Instant.MAX, Urgency.ROUTINE, 0, true), NOW))
                .isTrue();
        assertThat(claim(store(), Instant.parse("2200-01-01T00:00:00Z"), 1)).isEmpty();
    }
}
