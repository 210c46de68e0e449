package io.pilothouse.core.pipe;

import io.pilothouse.core.engine.Comeback.Terms;
import io.pilothouse.core.engine.Move;
import io.pilothouse.core.engine.Next;
import io.pilothouse.core.engine.PlannedPass;
import io.pilothouse.core.pipe.ReversePrivateEndpointPlan.Look;
import io.pilothouse.core.pipe.ReversePrivateEndpointPlan.Step;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Urgency;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Brings one reverse private endpoint one step nearer to what is wanted: connected, or removed. */
public final class ReversePrivateEndpointPass extends PlannedPass<ReversePrivateEndpoint, Look, Step> {
    private final ReversePrivateEndpoints endpoints;
    private final ReversePrivateEndpointPlan plan;

    public ReversePrivateEndpointPass(
            Ground ground, ReversePrivateEndpoints endpoints, ReversePrivateEndpointPlan plan) {
        super(ground);
        this.endpoints = endpoints;
        this.plan = plan;
    }

    @Override
    protected Optional<ReversePrivateEndpoint> find(Tables tables, UUID id) {
        return tables.of(ReversePrivateEndpoint.KIND).find(id);
    }

    @Override
    protected Look look(ReversePrivateEndpoint endpoint) throws PlaneFault {
        return Look.of(endpoints.observe(endpoint));
    }

    @Override
    protected Look unseen(ReversePrivateEndpoint endpoint, String fault) {
        return new Look(null, fault);
    }

    @Override
    protected Step decide(ReversePrivateEndpoint endpoint, Look look, Claim claim, Instant now) {
        return plan.next(endpoint, look, claim, now);
    }

    @Override
    protected Next next(ReversePrivateEndpoint endpoint, Step step, Instant now) {
        return switch (step.move()) {
            case Move.Start _ -> new Next.Do(() -> endpoints.connect(endpoint));
            case Move.Stop _, Move.Erase _ -> new Next.Do(() -> endpoints.remove(endpoint));
            case Move.BackOff(String why) -> new Next.BackOff(why);
            case Move.Wait(Instant until) -> new Next.Wait(until);
            // No port reports changes of a settled endpoint: it is looked at as often as ever.
            case Move.Settled _ -> new Next.Nap(now);
            case Move.Gone _ -> new Next.Gone();
        };
    }

    @Override
    protected Terms terms(ReversePrivateEndpoint endpoint, Step step, Claim claim, Instant now) {
        return new Terms(Urgency.CHANGED, step.tries(), step.deadline());
    }

    @Override
    protected void record(
            Tables tables, ReversePrivateEndpoint looked, Step step, @Nullable String fault, Instant now) {
        tables.of(ReversePrivateEndpoint.KIND)
                .find(looked.id())
                .filter(row -> row.status() != step.status())
                .ifPresent(row -> tables.of(ReversePrivateEndpoint.KIND).overwrite(row.withStatus(step.status(), now)));
    }

    @Override
    protected void remove(Tables tables, ReversePrivateEndpoint looked, Instant now) {
        tables.of(ReversePrivateEndpoint.KIND)
                .find(looked.id())
                .ifPresent(row -> tables.of(ReversePrivateEndpoint.KIND).delete(row.id(), row.version()));
    }
}
