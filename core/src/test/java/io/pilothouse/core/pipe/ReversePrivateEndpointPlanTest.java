package io.pilothouse.core.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.engine.Move;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.pipe.ReversePrivateEndpoint.Status;
import io.pilothouse.core.pipe.ReversePrivateEndpointPlan.Look;
import io.pilothouse.core.pipe.ReversePrivateEndpointPlan.Step;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Kind;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReversePrivateEndpointPlanTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant LATE = NOON.plus(ReversePrivateEndpointPlan.PATIENCE);
    private final ReversePrivateEndpointPlan plan = new ReversePrivateEndpointPlan(Pace.USUAL);

    private static ReversePrivateEndpoint endpoint(Status status) {
        return new ReversePrivateEndpoint(
                new Head(new UUID(1, 1), new UUID(1, 2), NOON, 1),
                new UUID(1, 3),
                "endpoint",
                ReversePrivateEndpoint.Type.VPC_ENDPOINT_SERVICE,
                "svc",
                null,
                null,
                null,
                null,
                null,
                List.of(),
                status,
                false,
                NOON);
    }

    private Step next(ReversePrivateEndpoint endpoint, Look look, Instant now) {
        return plan.next(endpoint, look, claim(0), now);
    }

    private static Claim claim(int tries) {
        return new Claim(Kind.REVERSE_PRIVATE_ENDPOINT, new UUID(1, 1), 1, 1, tries, NOON);
    }

    @ParameterizedTest
    @CsvSource({
        "false, UNKNOWN, Start, PROVISIONING",
        "false, PROVISIONING, Wait, PROVISIONING",
        "false, DELETING, Wait, DELETING",
        "false, PENDING_ACCEPTANCE, Settled, PENDING_ACCEPTANCE",
        "false, READY, Settled, READY",
        "false, REJECTED, Settled, REJECTED",
        "false, EXPIRED, Settled, EXPIRED",
        "false, FAILED, Settled, FAILED",
        "true, UNKNOWN, Gone, PROVISIONING",
        "true, PROVISIONING, Erase, PROVISIONING",
        "true, DELETING, Erase, DELETING",
        "true, PENDING_ACCEPTANCE, Erase, PENDING_ACCEPTANCE",
        "true, READY, Erase, READY",
        "true, REJECTED, Erase, REJECTED",
        "true, EXPIRED, Erase, EXPIRED",
        "true, FAILED, Erase, FAILED"
    })
    void theMoveFollowsFromWhatIsWantedAndSeen(boolean deleted, Status seen, String move, Status shown) {
        ReversePrivateEndpoint endpoint = endpoint(Status.PROVISIONING);
        Step step = next(deleted ? endpoint.asDeleted(NOON) : endpoint, Look.of(seen), NOON);
        assertThat(step.move().getClass().getSimpleName()).isEqualTo(move);
        assertThat(step.status()).isEqualTo(shown);
        assertThat(step.deadline()).isEqualTo(LATE);
    }

    @Test
    void anUnseenEndpointKeepsItsStatus() {
        Step step = next(endpoint(Status.READY), new Look(null, "no view"), NOON);
        assertThat(step.move()).isEqualTo(new Move.BackOff("no view"));
        assertThat(step.status()).isEqualTo(Status.READY);
    }

    @Test
    void aMissedDeadlineShowsAsAFailureAndIsTriedOn() {
        Step early = next(endpoint(Status.PROVISIONING), Look.of(Status.UNKNOWN), LATE.minusNanos(1));
        assertThat(early.status()).isEqualTo(Status.PROVISIONING);
        Step late = next(endpoint(Status.PROVISIONING), Look.of(Status.UNKNOWN), LATE);
        assertThat(late.status()).isEqualTo(Status.FAILED);
        assertThat(late.move()).isEqualTo(new Move.Start());
        assertThat(next(endpoint(Status.READY), new Look(null, "no view"), LATE).status())
                .isEqualTo(Status.FAILED);
        assertThat(next(endpoint(Status.FAILED), Look.of(Status.READY), LATE).status())
                .isEqualTo(Status.READY);
    }

    @Test
    void failuresBeforeTheDeletionCountNoMore() {
        ReversePrivateEndpoint deleted = endpoint(Status.PROVISIONING).asDeleted(LATE);
        assertThat(plan.next(deleted, Look.of(Status.FAILED), claim(9), LATE).tries())
                .isZero();
        assertThat(plan.next(endpoint(Status.PROVISIONING), Look.of(Status.UNKNOWN), claim(3), LATE)
                        .tries())
                .isEqualTo(3);
    }
}
