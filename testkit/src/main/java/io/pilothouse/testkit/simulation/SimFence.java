package io.pilothouse.testkit.simulation;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Tasks.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who has which task, by what the store has answered to all processes: no task is taken before the lease of its holder
 * is over, nothing is written by a pass whose task another one has since, and a dead process is replaced.
 */
final class SimFence {
    static final Duration REPLACED_WITHIN = Duration.ofSeconds(10);

    /** Two clocks that are measured may each be wrong by half of a second, and drift a little. */
    private static final Duration UNSURE = Duration.ofMillis(1_500);

    private final SimWorld world;
    private final Store store;
    private final boolean shared;
    private final Map<Subject, Holding> held = new LinkedHashMap<>();
    private @Nullable Claim acting;
    private long late;

    private record Subject(Tasks.Kind kind, UUID id) {
        static Subject of(Claim claim) {
            return new Subject(claim.kind(), claim.subjectId());
        }
    }

    private record Holding(SimPort by, Claim claim, Instant until) {}

    SimFence(SimWorld world, Store store, boolean shared) {
        this.world = world;
        this.store = store;
        this.shared = shared;
    }

    /** A pass over this claim, or something else, runs: what it calls is called on behalf of it. */
    void during(@Nullable Claim claim, Runnable work) {
        Claim before = acting;
        acting = claim;
        try {
            work.run();
        } finally {
            acting = before;
        }
    }

    /**
     * What a process begins outside after it has lost its lease takes effect, and the next look of another one sees it.
     * Only what is gone is not begun again: nobody would look.
     */
    <T extends Stored> void letBegin(Kind<T> kind, UUID id) throws PlaneFault {
        if (acting != null
                && !holds(acting)
                && store.read(tables -> tables.of(kind).find(id)).isEmpty()) {
            throw new PlaneFault("It is gone");
        }
    }

    /** Whether nobody else has had the task since. */
    boolean holds(Claim claim) {
        Holding holding = held.get(Subject.of(claim));
        return holding != null && holding.claim().token() == claim.token();
    }

    /** How often something came too late, and changed nothing. */
    long late() {
        return late;
    }

    void taken(SimPort by, Claim claim, Instant until) {
        Holding other = held.put(Subject.of(claim), new Holding(by, claim, until));
        SimLaws.require(
                !shared || other == null || other.until().isBefore(world.now().plus(UNSURE)),
                () -> "A task was taken that another process has: " + words(claim));
    }

    /** What the store answered to an extension, a release or an end of a claim. */
    void answered(Claim claim, boolean held) {
        if (!held) {
            late++;
        }
        SimLaws.require(!held || holds(claim), () -> "A claim that was lost still counts: " + words(claim));
    }

    void extended(Claim claim, Instant until) {
        this.held.computeIfPresent(
                Subject.of(claim), (_, holding) -> new Holding(holding.by(), holding.claim(), until));
    }

    void ended(Claim claim) {
        held.remove(Subject.of(claim));
    }

    /** A process that is alone has ended what was held. */
    void allEnded() {
        held.clear();
    }

    /** A pass has changed rows, which it may as long as its claim is the last one. */
    void changed() {
        Claim claim = acting;
        SimLaws.require(
                claim == null || holds(claim),
                () -> "A process that had lost its lease has changed something: " + words(claim));
    }

    private static String words(@Nullable Claim claim) {
        return claim == null ? "" : claim.kind() + " " + claim.subjectId();
    }

    /** The tasks that a process has. */
    private List<Claim> of(SimPort port) {
        List<Claim> all = new ArrayList<>();
        held.values().stream().filter(holding -> holding.by() == port).forEach(holding -> all.add(holding.claim()));
        return all;
    }

    /** This process is dead, and nothing else goes wrong: soon nothing is left of what it had. */
    void replace(SimPort dead) {
        if (!shared) {
            return;
        }
        List<Claim> lost = of(dead);
        world.after(
                REPLACED_WITHIN,
                "replaced",
                () -> lost.forEach(claim -> SimLaws.require(
                        !holds(claim), () -> "Nobody does the work of a dead process: " + words(claim))));
    }

    /** This process has stopped as it should: nobody has to wait for what it had. */
    void handedOver(SimPort stopped) {
        List<Claim> left = of(stopped);
        SimLaws.require(left.isEmpty(), () -> "A process has stopped and kept " + words(left.getFirst()));
    }
}
