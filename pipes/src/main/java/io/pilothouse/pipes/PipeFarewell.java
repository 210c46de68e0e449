package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Report;
import io.pilothouse.pipes.wire.Span;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Has a worker take away what a deleted pipe made at its source, because a slot that nobody reads fills the source's disk. */
final class PipeFarewell implements PipeWorker.Listener {
    private static final Logger LOG = System.getLogger(PipeFarewell.class.getName());
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(25);
    /** What is gone for good must not keep its pipe from going. */
    private static final Duration GIVES_UP_AFTER = Duration.ofHours(1);

    private volatile @Nullable Report last;

    private PipeFarewell() {}

    static void say(PipeGround ground, Pipe pipe) throws PlaneFault {
        if (ground.ledger().find(pipe.id(), List.of(Span.FOOTPRINT)).isEmpty()) {
            return;
        }
        PipeFarewell farewell = new PipeFarewell();
        String trouble = farewell.run(ground, pipe);
        if (trouble == null) {
            return;
        }
        if (!isGivenUp(ground, pipe)) {
            throw new PlaneFault("Its slot is still at the source: " + trouble);
        }
        LOG.log(
                Level.WARNING,
                "The pipe {0} is deleted, and its replication slot may still be at the source: {1}",
                pipe.id(),
                trouble);
    }

    /** Whether a deleted pipe goes, whatever is still left of it elsewhere. */
    static boolean isGivenUp(PipeGround ground, Pipe pipe) {
        return Duration.between(pipe.want().since(), ground.clock().now()).compareTo(GIVES_UP_AFTER) >= 0;
    }

    /** Why it did not work; null if it did. */
    private @Nullable String run(PipeGround ground, Pipe pipe) throws PlaneFault {
        Assignments assignments = new Assignments(ground);
        Assignment assignment = assignments.farewell(pipe);
        try {
            Process process = ground.program().start(PipeCrew.group(assignment), assignments.size(pipe));
            PipeWorker worker = new PipeWorker(new ChildHost(process), assignment, this, ground.threads());
            worker.begin(ground.readers());
            boolean ended = false;
            try {
                ended = worker.awaitEnd(ENDS_WITHIN);
            } finally {
                if (!ended) {
                    worker.kill();
                }
                ground.program().ended(PipeCrew.group(assignment));
            }
            Report report = last;
            if (!ended || report == null) {
                return "It does not answer.";
            }
            return report.condition() == Report.Condition.COMPLETED ? null : report.sentence();
        } catch (IOException failure) {
            throw new PlaneFault("A worker cannot be started.", failure);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new PlaneFault("The work on the pipe was cut short.", stopping);
        }
    }

    @Override
    public Tree.Members answer(PipeWorker worker, About about, Tree.Members body) throws PlaneFault {
        throw new PlaneFault("The pipe is deleted.");
    }

    @Override
    public void reported(PipeWorker worker, Report report) {
        last = report;
    }

    @Override
    public void ended(PipeWorker worker, String how) {
        // Its last report says how it went.
    }
}
