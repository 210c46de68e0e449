package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Assignment.Errand;
import io.pilothouse.pipes.wire.Report;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A worker of its own that goes to the source of a pipe for a moment, moves nothing, and has no database. */
final class PipeVisit implements PipeWorker.Listener {
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(25);

    private final Duration endsWithin;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable Report last;

    PipeVisit(Duration endsWithin) {
        this.endsWithin = endsWithin;
    }

    /** What the worker said at its end; a fault with its sentence where it did not come to one. */
    static Report pay(PipeGround ground, Pipe pipe, Errand errand) throws PlaneFault {
        return new PipeVisit(ENDS_WITHIN).run(ground, pipe, errand);
    }

    private Report run(PipeGround ground, Pipe pipe, Errand errand) throws PlaneFault {
        Assignments assignments = new Assignments(ground);
        Assignment assignment = assignments.visit(pipe, errand);
        // Beside the group of a worker that may be started meanwhile.
        String group = PipeCrew.group(assignment) + "-visit";
        try {
            Process process = ground.program().start(group, assignments.size(pipe));
            PipeWorker worker = new PipeWorker(new ChildHost(process), assignment, this, ground.threads());
            try {
                return await(worker, ground.readers());
            } finally {
                ground.program().ended(group);
            }
        } catch (IOException failure) {
            throw new PlaneFault("A worker cannot be started.", failure);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new PlaneFault("The work on the pipe was cut short.", stopping);
        }
    }

    /** Its process may be gone before what it said has been read: only its reader knows when all has been heard. */
    Report await(PipeWorker worker, ThreadFactory readers) throws PlaneFault, InterruptedException {
        boolean ended = false;
        try {
            worker.begin(readers);
            ended = over.await(endsWithin.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            if (!ended) {
                worker.kill();
            }
        }
        return completed(ended);
    }

    private Report completed(boolean ended) throws PlaneFault {
        Report report = last;
        if (!ended || report == null) {
            throw new PlaneFault("It does not answer.");
        }
        if (report.condition() != Report.Condition.COMPLETED) {
            throw new PlaneFault(report.sentence().isEmpty() ? "It did not come to an end." : report.sentence());
        }
        return report;
    }

    @Override
    public Tree.Members answer(PipeWorker worker, About about, Tree.Members body) throws PlaneFault {
        throw new PlaneFault("The pipe stands still.");
    }

    @Override
    public void reported(PipeWorker worker, Report report) {
        last = report;
    }

    @Override
    public void ended(PipeWorker worker, String how) {
        // Its last report says how it went.
        over.countDown();
    }
}
