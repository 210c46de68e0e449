package io.pilothouse.pipes;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.pipes.wire.Assignment.Errand;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** Has a worker take away what a deleted pipe made at its source, because a slot that nobody reads fills the source's disk. */
final class PipeFarewell {
    private static final Logger LOG = System.getLogger(PipeFarewell.class.getName());
    /** What is gone for good must not keep its pipe from going. */
    private static final Duration GIVES_UP_AFTER = Duration.ofHours(1);

    private PipeFarewell() {}

    static void say(PipeGround ground, Pipe pipe) throws PlaneFault {
        if (!ground.ledger().hasFootprint(pipe.id())) {
            return;
        }
        try {
            PipeVisit.pay(ground, pipe, Errand.LEAVE);
        } catch (PlaneFault trouble) {
            if (!isGivenUp(ground, pipe)) {
                throw new PlaneFault("What it made at the source is still there: " + trouble.getMessage(), trouble);
            }
            LOG.log(
                    Level.WARNING,
                    "The pipe {0} is deleted, and what it made at its source may still be there: {1}",
                    pipe.id(),
                    trouble.getMessage());
        }
    }

    /** Whether a deleted pipe goes, whatever is still left of it elsewhere. */
    static boolean isGivenUp(PipeGround ground, Pipe pipe) {
        return Duration.between(pipe.want().since(), ground.clock().now()).compareTo(GIVES_UP_AFTER) >= 0;
    }
}
