package io.pilothouse.core.pipe;

import io.pilothouse.core.engine.Comeback;
import io.pilothouse.core.engine.Move;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.pipe.PipePlan.Step;
import io.pilothouse.core.pipe.PipeRunner.PipeSight;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.service.ServicePass;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Brings one pipe one step nearer to what is wanted, as {@link ServicePass} does a service. */
public final class PipePass implements Pass {
    private final Store store;
    private final PipeRunner runner;
    private final Clock clock;
    private final PipePlan plan;
    private final Comeback comeback;

    public PipePass(Store store, PipeRunner runner, Clock clock, PipePlan plan, Comeback comeback) {
        this.store = store;
        this.runner = runner;
        this.clock = clock;
        this.plan = plan;
        this.comeback = comeback;
    }

    @Override
    public void run(Claim claim) {
        Optional<Pipe> found = store.read(tables -> tables.of(Pipe.KIND).find(claim.subjectId()));
        if (found.isEmpty()) {
            store.write(tables -> tables.tasks().finish(claim));
            return;
        }
        Pipe pipe = found.get();
        Step step = plan.next(pipe, look(pipe), claim, clock.now());
        String fault = act(step.move(), pipe);
        if (fault != null) {
            comeback.logSparingly(claim, step.tries(), fault);
        }
        store.write(tables -> record(tables, claim, pipe, step, fault));
    }

    private PipeSight look(Pipe pipe) {
        try {
            return runner.observe(pipe);
        } catch (PlaneFault e) {
            return new PipeSight(
                    PipePhase.UNKNOWN, pipe.seen().generation(), pipe.seen().resyncs(), e.getMessage());
        }
    }

    private @Nullable String act(Move move, Pipe pipe) {
        try {
            switch (move) {
                case Move.Start _ -> runner.start(pipe);
                case Move.Stop _ -> runner.stop(pipe);
                case Move.Erase _ -> runner.erase(pipe);
                case Move.BackOff(String why) -> {
                    return why;
                }
                case Move.Wait _, Move.Settled _, Move.Gone _ -> {}
            }
            return null;
        } catch (PlaneFault e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** First the fence: under an old token nothing below may happen. */
    private boolean record(Tables tables, Claim claim, Pipe looked, Step step, @Nullable String fault) {
        boolean gone = step.move() instanceof Move.Gone;
        boolean mine = gone
                ? tables.tasks().finish(claim)
                : tables.tasks()
                        .release(claim, comeback.release(step.tries(), step.move(), fault != null), clock.now());
        if (!mine) {
            return false;
        }
        tables.of(Pipe.KIND).find(looked.id()).ifPresent(row -> {
            if (gone) {
                tables.of(Pipe.KIND).delete(row.id(), row.version());
            } else if (!step.seen().equals(row.seen())) {
                tables.of(Pipe.KIND).overwrite(row.withSeen(seen(step, fault)));
            }
        });
        return true;
    }

    private static PipeSeen seen(Step step, @Nullable String fault) {
        PipeSeen seen = step.seen();
        return fault == null
                ? seen
                : new PipeSeen(seen.phase(), seen.generation(), seen.resyncs(), fault, seen.since());
    }
}
