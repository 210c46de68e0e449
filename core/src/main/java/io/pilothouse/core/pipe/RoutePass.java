package io.pilothouse.core.pipe;

import io.pilothouse.core.engine.Comeback;
import io.pilothouse.core.engine.Move;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.pipe.ReversePrivateEndpoint.Status;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks.Claim;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Brings one reverse private endpoint one step nearer to what is wanted: laid, or gone. */
public final class RoutePass implements Pass {
    private final Store store;
    private final PipeRunner runner;
    private final Clock clock;
    private final Pace pace;
    private final Comeback comeback;

    public RoutePass(Store store, PipeRunner runner, Clock clock, Pace pace, Comeback comeback) {
        this.store = store;
        this.runner = runner;
        this.clock = clock;
        this.pace = pace;
        this.comeback = comeback;
    }

    @Override
    public void run(Claim claim) {
        Optional<ReversePrivateEndpoint> found =
                store.read(tables -> tables.of(ReversePrivateEndpoint.KIND).find(claim.subjectId()));
        if (found.isEmpty()) {
            store.write(tables -> tables.tasks().finish(claim));
            return;
        }
        ReversePrivateEndpoint route = found.get();
        try {
            Status seen = runner.observe(route);
            Move move = next(route, seen, clock.now());
            act(move, route);
            store.write(tables -> record(tables, claim, route, seen, move));
        } catch (PlaneFault e) {
            String fault = String.valueOf(e.getMessage());
            comeback.logSparingly(claim, claim.tries(), fault);
            store.write(tables -> record(tables, claim, route, null, new Move.BackOff(fault)));
        }
    }

    /** What to do next; a route that nobody has laid yet, or that is gone, is seen as Unknown. */
    Move next(ReversePrivateEndpoint route, Status seen, Instant now) {
        if (route.deleted()) {
            return seen == Status.UNKNOWN ? new Move.Gone() : new Move.Erase();
        }
        return switch (seen) {
            case UNKNOWN -> new Move.Start();
            case PROVISIONING, DELETING -> new Move.Wait(pace.nextLook(route.since(), now));
            // Accepting and rejecting is the business of the other side: it is looked at as often as what is settled.
            case PENDING_ACCEPTANCE, READY, REJECTED, EXPIRED, FAILED -> new Move.Settled();
        };
    }

    private void act(Move move, ReversePrivateEndpoint route) throws PlaneFault {
        if (move instanceof Move.Start) {
            runner.lay(route);
        } else if (move instanceof Move.Erase) {
            runner.remove(route);
        }
    }

    private boolean record(
            Tables tables, Claim claim, ReversePrivateEndpoint looked, @Nullable Status seen, Move move) {
        boolean gone = move instanceof Move.Gone;
        boolean mine = gone
                ? tables.tasks().finish(claim)
                : tables.tasks()
                        .release(
                                claim,
                                comeback.release(claim.tries(), move, move instanceof Move.BackOff),
                                clock.now());
        if (!mine) {
            return false;
        }
        tables.of(ReversePrivateEndpoint.KIND).find(looked.id()).ifPresent(row -> {
            Status shown = seen == Status.UNKNOWN ? Status.PROVISIONING : seen;
            if (gone) {
                tables.of(ReversePrivateEndpoint.KIND).delete(row.id(), row.version());
            } else if (shown != null && shown != row.status()) {
                tables.of(ReversePrivateEndpoint.KIND).overwrite(row.withStatus(shown, clock.now()));
            }
        });
        return true;
    }
}
