package io.pilothouse.plane.simulated;

import io.pilothouse.core.pipe.ReversePrivateEndpoint;
import io.pilothouse.core.pipe.ReversePrivateEndpoint.Status;
import io.pilothouse.core.pipe.ReversePrivateEndpoints;
import io.pilothouse.core.port.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reverse private endpoints that connect nothing and are ready after a while. It remembers only what is changing;
 * otherwise it believes what the engine last saw. Safe for many threads.
 */
public final class SimulatedReversePrivateEndpoints implements ReversePrivateEndpoints {
    /** An endpoint whose service is named so waits for an acceptance that never comes, to show clients that state. */
    private static final String NEVER_ACCEPTED = "pending-acceptance";

    private final Clock clock;
    private final Duration phaseTime;
    private final Map<UUID, Change> changes = new ConcurrentHashMap<>();

    private record Change(Status during, Status then, Instant until) {}

    public SimulatedReversePrivateEndpoints(Clock clock, Duration phaseTime) {
        this.clock = clock;
        this.phaseTime = phaseTime;
    }

    @Override
    public Status observe(ReversePrivateEndpoint endpoint) {
        Change change = changes.get(endpoint.id());
        if (change == null) {
            return believed(endpoint.status());
        }
        if (clock.now().isBefore(change.until())) {
            return change.during();
        }
        if (change.then() == endpoint.status() || change.then() == Status.UNKNOWN) {
            changes.remove(endpoint.id(), change);
        }
        return change.then();
    }

    /** A row says Provisioning from its creation on, and Failed once that took too long: nothing was connected so far. */
    private static Status believed(Status status) {
        return status == Status.PROVISIONING || status == Status.FAILED ? Status.UNKNOWN : status;
    }

    @Override
    public void connect(ReversePrivateEndpoint endpoint) {
        String name = endpoint.vpcEndpointServiceName();
        Status then = name != null && name.endsWith(NEVER_ACCEPTED) ? Status.PENDING_ACCEPTANCE : Status.READY;
        changes.putIfAbsent(
                endpoint.id(), new Change(Status.PROVISIONING, then, clock.now().plus(phaseTime)));
    }

    @Override
    public void remove(ReversePrivateEndpoint endpoint) {
        changes.compute(
                endpoint.id(),
                (_, change) -> change != null && change.then() == Status.UNKNOWN
                        ? change
                        : new Change(
                                Status.DELETING, Status.UNKNOWN, clock.now().plus(phaseTime)));
    }

    /** Forgets what it remembers of the endpoints with these ids: of them it believes their rows alone from now on. */
    public void forget(Set<UUID> ids) {
        changes.keySet().removeAll(ids);
    }
}
