package io.pilothouse.core.pipe;

import io.pilothouse.core.engine.Move;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.pipe.ReversePrivateEndpoint.Status;
import io.pilothouse.core.port.Tasks.Claim;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Decides what to do next for a reverse private endpoint: connect it or take it away; pure, and without a stored phase. */
public final class ReversePrivateEndpointPlan {
    /** How long an endpoint may be on its way before clients see that it failed. */
    static final Duration PATIENCE = Duration.ofMinutes(15);

    private final Pace pace;

    public ReversePrivateEndpointPlan(Pace pace) {
        this.pace = pace;
    }

    /** The last look at an endpoint: its status, or why it could not be looked at. */
    public record Look(@Nullable Status status, String fault) {
        static Look of(Status status) {
            return new Look(status, "");
        }
    }

    /**
     * The next move, the status that clients may see, when they learn of a delay, and how often it was tried before.
     */
    public record Step(Move move, Status status, Instant deadline, int tries) {}

    public Step next(ReversePrivateEndpoint endpoint, Look look, Claim claim, Instant now) {
        Move move = move(endpoint, look, now);
        Instant deadline = claim.unsettledSince().plus(PATIENCE);
        boolean late = !(move instanceof Move.Settled) && !now.isBefore(deadline);
        int tries = pace.triesFor(Duration.between(endpoint.since(), now), claim.tries());
        return new Step(move, late ? Status.FAILED : shown(endpoint, look), deadline, tries);
    }

    private Move move(ReversePrivateEndpoint endpoint, Look look, Instant now) {
        Status status = look.status();
        if (status == null) {
            return new Move.BackOff(look.fault());
        }
        if (endpoint.deleted()) {
            return status == Status.UNKNOWN ? new Move.Gone() : new Move.Erase();
        }
        return switch (status) {
            case UNKNOWN -> new Move.Start();
            case PROVISIONING, DELETING -> new Move.Wait(pace.nextLook(endpoint.since(), now));
            // Accepting and rejecting is the business of the other side: it is looked at as often as what is settled.
            case PENDING_ACCEPTANCE, READY, REJECTED, EXPIRED, FAILED -> new Move.Settled();
        };
    }

    /** Not having been able to look changes nothing that was seen; one that is not there yet is on its way. */
    private static Status shown(ReversePrivateEndpoint endpoint, Look look) {
        Status status = look.status();
        if (status == null) {
            return endpoint.status();
        }
        return status == Status.UNKNOWN ? Status.PROVISIONING : status;
    }
}
