package io.pilothouse.core.pipe;

import io.pilothouse.core.engine.Comeback.Terms;
import io.pilothouse.core.engine.Move;
import io.pilothouse.core.engine.Next;
import io.pilothouse.core.engine.PlannedPass;
import io.pilothouse.core.pipe.PipePlan.Step;
import io.pilothouse.core.pipe.PipeRunner.PipeSight;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Urgency;
import io.pilothouse.core.service.Service;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Brings one pipe one step nearer to what is wanted. */
public final class PipePass extends PlannedPass<Pipe, PipeSight, Step> {
    private final PipeRunner runner;
    private final PipePlan plan;

    public PipePass(Ground ground, PipeRunner runner, PipePlan plan) {
        super(ground);
        this.runner = runner;
        this.plan = plan;
    }

    @Override
    protected Optional<Pipe> find(Tables tables, UUID id) {
        return tables.of(Pipe.KIND).find(id).map(pipe -> isCarried(tables, pipe) ? pipe.atRest() : pipe);
    }

    /** Nothing is written into a database that moves to another host. */
    private static boolean isCarried(Tables tables, Pipe pipe) {
        return tables.of(Service.KIND)
                .find(pipe.serviceId())
                .filter(Service::isMoving)
                .isPresent();
    }

    @Override
    protected PipeSight look(Pipe pipe) throws PlaneFault {
        return runner.observe(pipe);
    }

    @Override
    protected PipeSight unseen(Pipe pipe, String fault) {
        return new PipeSight(
                PipePhase.UNKNOWN, pipe.seen().generation(), pipe.seen().resyncs(), fault);
    }

    @Override
    protected Step decide(Pipe pipe, PipeSight sight, Claim claim, Instant now) {
        return plan.next(pipe, sight, claim, now);
    }

    @Override
    protected Next next(Pipe pipe, Step step, Instant now) {
        return switch (step.move()) {
            case Move.Start _ -> new Next.Do(() -> runner.start(pipe));
            case Move.Stop _ -> new Next.Do(() -> runner.stop(pipe));
            case Move.Erase _ -> new Next.Do(() -> runner.erase(pipe));
            case Move.BackOff(String why) -> new Next.BackOff(why);
            case Move.Wait(Instant until) -> new Next.Wait(until);
            // No runner reports changes of a settled pipe: it is looked at as often as ever.
            case Move.Settled _ -> new Next.Nap(now);
            case Move.Gone _ -> new Next.Gone();
        };
    }

    @Override
    protected Terms terms(Pipe pipe, Step step, Claim claim, Instant now) {
        return new Terms(Urgency.CHANGED, step.tries(), step.deadline());
    }

    @Override
    protected void record(Tables tables, Pipe looked, Step step, @Nullable String fault, Instant now) {
        tables.of(Pipe.KIND).find(looked.id()).ifPresent(row -> {
            // A complaint about a wish that has changed since says nothing about the new one.
            boolean sameWish = row.want().equals(looked.want());
            PipeSeen seen = fault == null ? step.seen() : step.seen().withTrouble(fault);
            PipeSeen next = sameWish ? seen : seen.withTrouble(null);
            if (!next.equals(row.seen())) {
                tables.of(Pipe.KIND).overwrite(row.withSeen(next));
            }
        });
    }

    @Override
    protected void remove(Tables tables, Pipe looked, Instant now) {
        tables.of(Pipe.KIND)
                .find(looked.id())
                .ifPresent(row -> tables.of(Pipe.KIND).delete(row.id(), row.version()));
    }
}
