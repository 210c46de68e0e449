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
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A worker of its own that goes to the source of a pipe for a moment, moves nothing, and has no database. */
final class PipeVisit implements PipeWorker.Listener {
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(25);

    private final Duration endsWithin;
    private final RoleAnswer role;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable Report last;

    PipeVisit(Duration endsWithin, RoleAnswer role) {
        this.endsWithin = endsWithin;
        this.role = role;
    }

    /** A key of the role that the source names. */
    @FunctionalInterface
    interface RoleAnswer {
        Tree.Members key() throws PlaneFault;
    }

    /** What the worker said at its end; a fault with its sentence where it did not come to one. */
    static Report pay(PipeGround ground, Pipe pipe, Errand errand) throws PlaneFault {
        RoleAnswer role = () -> PipeRoles.answer(
                ground.roles(), pipe.source(), pipe.organizationId(), pipe.serviceId(), "pilothouse-" + pipe.id());
        return new PipeVisit(ENDS_WITHIN, role).run(ground, pipe, errand);
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
        if (about == About.ROLE) {
            return role.key();
        }
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

    /** A worker that measures what sources keep for pipes, one after another, and is ended then. For one thread. */
    static final class Measuring implements StandingSlots.Visitor {
        private final Start start;
        private final Duration within;
        private @Nullable Begun begun;
        private Hearing hearing = new Hearing();
        private volatile @Nullable Pipe now;

        /** Begins a worker with the first of its pipes, and tells what the others are to it. */
        interface Start {
            Begun of(Pipe pipe, PipeWorker.Listener listener) throws PlaneFault;

            Assignment next(Pipe pipe);

            /** A key of the role that the source of a pipe names. */
            Tree.Members key(Pipe pipe) throws PlaneFault;
        }

        /** A worker that works, and what to do when it is not needed any more. */
        record Begun(PipeWorker worker, Runnable after) {}

        Measuring(Start start, Duration within) {
            this.start = start;
            this.within = within;
        }

        /** One that begins a process when it goes to the first source. */
        static Measuring in(PipeGround ground) {
            return new Measuring(new InProcess(ground), ENDS_WITHIN);
        }

        @Override
        public long bytes(Pipe pipe) throws PlaneFault {
            now = pipe;
            Begun working = begun;
            if (working == null) {
                hearing = new Hearing();
                begun = start.of(pipe, hearing);
            } else {
                working.worker().next(start.next(pipe));
            }
            return answered();
        }

        private long answered() throws PlaneFault {
            long deadline = System.nanoTime() + within.toNanos();
            while (true) {
                Optional<Report> next = heard(deadline - System.nanoTime());
                if (next.isEmpty()) {
                    close();
                    throw new PlaneFault("It did not come to an end.");
                }
                Report report = next.get();
                switch (report.condition()) {
                    case COMPLETED -> {
                        return report.keptBytes();
                    }
                    case FAILED, WITHOUT_SOURCE, WITHOUT_DESTINATION -> throw new PlaneFault(report.sentence());
                    case STARTING, SETUP, SNAPSHOT, RUNNING, BEHIND -> {
                        // It is not done yet.
                    }
                }
            }
        }

        private Optional<Report> heard(long nanos) throws PlaneFault {
            try {
                Optional<Report> report = hearing.said.poll(nanos, TimeUnit.NANOSECONDS);
                if (report == null) {
                    close();
                    throw new PlaneFault("It does not answer.");
                }
                return report;
            } catch (InterruptedException stopping) {
                close();
                Thread.currentThread().interrupt();
                throw new PlaneFault("The work on the pipe was cut short.", stopping);
            }
        }

        @Override
        public void close() {
            Begun working = begun;
            begun = null;
            if (working != null) {
                working.worker().kill();
                working.after().run();
            }
        }

        /** Hears one worker. */
        private final class Hearing implements PipeWorker.Listener {
            /** What it said; empty once it has ended. */
            private final BlockingQueue<Optional<Report>> said = new LinkedBlockingQueue<>();

            @Override
            public Tree.Members answer(PipeWorker worker, About about, Tree.Members body) throws PlaneFault {
                Pipe pipe = now;
                if (about == About.ROLE && pipe != null) {
                    return start.key(pipe);
                }
                throw new PlaneFault("The pipe stands still.");
            }

            @Override
            public void reported(PipeWorker worker, Report report) {
                said.add(Optional.of(report));
            }

            @Override
            public void ended(PipeWorker worker, String how) {
                said.add(Optional.empty());
            }
        }
    }

    private record InProcess(PipeGround ground) implements Measuring.Start {
        @Override
        public Measuring.Begun of(Pipe pipe, PipeWorker.Listener listener) throws PlaneFault {
            Assignments assignments = new Assignments(ground);
            Assignment assignment = assignments.visit(pipe, Errand.MEASURE);
            String group = PipeCrew.group(assignment) + "-visit";
            try {
                Process process = ground.program().start(group, assignments.size(pipe));
                PipeWorker worker = new PipeWorker(new ChildHost(process), assignment, listener, ground.threads());
                worker.begin(ground.readers());
                return new Measuring.Begun(worker, () -> ground.program().ended(group));
            } catch (IOException failure) {
                throw new PlaneFault("A worker cannot be started.", failure);
            }
        }

        @Override
        public Assignment next(Pipe pipe) {
            return new Assignments(ground).visit(pipe, Errand.MEASURE);
        }

        @Override
        public Tree.Members key(Pipe pipe) throws PlaneFault {
            return PipeRoles.answer(
                    ground.roles(), pipe.source(), pipe.organizationId(), pipe.serviceId(), "pilothouse-" + pipe.id());
        }
    }
}
