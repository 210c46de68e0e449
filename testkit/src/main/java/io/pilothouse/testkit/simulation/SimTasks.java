package io.pilothouse.testkit.simulation;

import io.pilothouse.core.port.Tasks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The tasks in a write, which notes what the store answers about claims. */
record SimTasks(Tasks tasks, SimWrite write) implements Tasks {
    @Override
    public void wake(Kind kind, UUID subjectId, Urgency urgency, Instant now) {
        tasks.wake(kind, subjectId, urgency, now);
    }

    @Override
    public List<Claim> claim(String owner, Instant now, Instant leaseUntil, int limit) {
        List<Claim> claims = tasks.claim(owner, now, leaseUntil, limit);
        claims.forEach(claim -> write.note((fence, port) -> fence.taken(port, claim, leaseUntil)));
        return claims;
    }

    @Override
    public boolean extend(Claim claim, Instant leaseUntil) {
        return answered(claim, tasks.extend(claim, leaseUntil), (fence, _) -> fence.extended(claim, leaseUntil));
    }

    @Override
    public void endLeases(Instant now, Instant until) {
        tasks.endLeases(now, until);
        write.note((fence, _) -> fence.allEnded());
    }

    @Override
    public void beginAgain(Instant now) {
        tasks.beginAgain(now);
    }

    @Override
    public void bringForward(Duration by, Instant now) {
        tasks.bringForward(by, now);
    }

    @Override
    public Optional<Instant> latestUnsettled() {
        return tasks.latestUnsettled();
    }

    @Override
    public boolean release(Claim claim, Release release, Instant now) {
        return answered(claim, tasks.release(claim, release, now), (fence, _) -> fence.ended(claim));
    }

    @Override
    public boolean finish(Claim claim) {
        return answered(claim, tasks.finish(claim), (fence, _) -> fence.ended(claim));
    }

    private boolean answered(Claim claim, boolean held, SimWrite.Note then) {
        write.note((fence, port) -> {
            fence.answered(claim, held);
            if (held) {
                then.on(fence, port);
            }
        });
        return held;
    }

    @Override
    public Optional<Instant> nextDue() {
        return tasks.nextDue();
    }

    @Override
    public Optional<Due> find(Kind kind, UUID subjectId) {
        return tasks.find(kind, subjectId);
    }

    @Override
    public Backlog backlog(Instant now) {
        return tasks.backlog(now);
    }

    @Override
    public void place(Kind kind, UUID subjectId, @Nullable UUID hostId) {
        tasks.place(kind, subjectId, hostId);
    }

    @Override
    public Optional<UUID> findHost(Kind kind, UUID subjectId) {
        return tasks.findHost(kind, subjectId);
    }

    @Override
    public List<UUID> placed(Kind kind, UUID hostId, @Nullable UUID afterId, int limit) {
        return tasks.placed(kind, hostId, afterId, limit);
    }

    @Override
    public long countPlaced(Kind kind, UUID hostId) {
        return tasks.countPlaced(kind, hostId);
    }
}
