package io.pilothouse.testkit.simulation;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipePhase;
import io.pilothouse.core.pipe.PipeRunner;
import io.pilothouse.core.port.PlaneFault;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The workers of pipes that are really there. It draws whether they end with the process that started them, as its
 * children do, or go on without it, as tasks of a cluster do.
 */
final class SimWorkers {
    private static final Duration MAX_TIME = Duration.ofMinutes(1);
    private static final Set<PipePhase> AT_WORK = Set.of(PipePhase.PROVISIONING, PipePhase.RUNNING, PipePhase.STOPPING);
    private static final Set<PipePhase> AT_REST = Set.of(PipePhase.STOPPED, PipePhase.INTERNAL_ERROR);

    private final SimWorld world;
    private final SimFence fence;
    private final Duration startTime;
    private final Duration stopTime;
    private final boolean children;
    private final Map<UUID, Crew> crews = new LinkedHashMap<>();
    private final SimChanges changes = new SimChanges();

    /** The workers of one pipe: {@code during} until a moment, and {@code then} from it on. */
    private record Crew(PipePhase during, Instant until, PipePhase then, int workers, int generation, int resyncs) {
        PipePhase at(Instant now) {
            return now.isBefore(until) ? during : then;
        }

        Crew turned(PipePhase next, Instant from, PipePhase last) {
            return new Crew(next, from, last, workers, generation, resyncs);
        }
    }

    SimWorkers(SimWorld world, SimFence fence) {
        this.world = world;
        this.fence = fence;
        this.startTime = world.upTo(MAX_TIME);
        this.stopTime = world.upTo(MAX_TIME);
        this.children = world.likely(0.5);
    }

    /** Every pipe of which something is left. */
    Set<UUID> there() {
        Instant now = world.now();
        crews.values().removeIf(crew -> crew.at(now) == PipePhase.ABSENT);
        return crews.keySet();
    }

    PipePhase phase(UUID pipeId) {
        return phase(crews.get(pipeId));
    }

    /** How many workers of a pipe there are, at work or on their way. */
    int workers(UUID pipeId) {
        Crew crew = crews.get(pipeId);
        return crew != null && AT_WORK.contains(phase(crew)) ? crew.workers() : 0;
    }

    /** The change of its configuration that they have taken up. */
    int generation(UUID pipeId) {
        Crew crew = crews.get(pipeId);
        return crew == null ? 0 : crew.generation();
    }

    void breakDown(UUID pipeId) {
        if (phase(pipeId) == PipePhase.RUNNING) {
            fall(pipeId, PipePhase.INTERNAL_ERROR);
        }
    }

    /** The process that started them is dead. */
    void lose() {
        if (children) {
            List.copyOf(there()).forEach(id -> fall(id, PipePhase.STOPPED));
        }
    }

    private void fall(UUID pipeId, PipePhase to) {
        crews.computeIfPresent(pipeId, (_, crew) -> crew.turned(to, world.now(), to));
    }

    private PipePhase phase(@Nullable Crew crew) {
        return crew == null ? PipePhase.ABSENT : crew.at(world.now());
    }

    /** As a process reaches them. */
    PipeRunner through(SimPort port, SimFaults faults) {
        return new PipeRunner() {
            @Override
            public PipeSight observe(Pipe pipe) throws PlaneFault {
                return port.call(
                        "look at pipe " + pipe.id(),
                        () -> {
                            reach(faults);
                            return look(pipe.id());
                        },
                        PlaneFault::new);
            }

            @Override
            public void start(Pipe pipe) throws PlaneFault {
                change("start of pipe ", pipe, () -> {
                    fence.letBegin(Pipe.KIND, pipe.id());
                    begin(pipe);
                });
            }

            @Override
            public void stop(Pipe pipe) throws PlaneFault {
                change("stop of pipe ", pipe, () -> end(pipe.id(), PipePhase.STOPPED));
            }

            @Override
            public void erase(Pipe pipe) throws PlaneFault {
                change("erasure of pipe ", pipe, () -> end(pipe.id(), PipePhase.ABSENT));
            }

            private void change(String what, Pipe pipe, Deed change) throws PlaneFault {
                changes.make(port, what, pipe.id(), () -> {
                    reach(faults);
                    change.happen();
                    world.touch(Pipe.KIND);
                    return true;
                });
            }
        };
    }

    /** What a call does. */
    @FunctionalInterface
    private interface Deed {
        void happen() throws PlaneFault;
    }

    private static void reach(SimFaults faults) throws PlaneFault {
        if (faults.planeAway()) {
            throw new PlaneFault("The data plane is away");
        }
    }

    private PipeRunner.PipeSight look(UUID pipeId) {
        Crew crew = crews.get(pipeId);
        return crew == null
                ? new PipeRunner.PipeSight(PipePhase.ABSENT, 0, 0, null)
                : new PipeRunner.PipeSight(phase(crew), crew.generation(), crew.resyncs(), null);
    }

    /** What runs takes up a change as it runs; what is on its way does not begin again. */
    private void begin(Pipe pipe) {
        Crew crew = crews.get(pipe.id());
        PipePhase phase = phase(crew);
        boolean up = phase == PipePhase.RUNNING || phase == PipePhase.PROVISIONING;
        crews.put(
                pipe.id(),
                new Crew(
                        PipePhase.PROVISIONING,
                        up && crew != null ? crew.until() : world.now().plus(startTime),
                        PipePhase.RUNNING,
                        pipe.scaling().replicas(),
                        pipe.want().generation(),
                        pipe.want().resyncs()));
    }

    /** Ending twice takes no longer than once. */
    private void end(UUID pipeId, PipePhase then) {
        crews.computeIfPresent(pipeId, (_, crew) -> {
            PipePhase phase = phase(crew);
            if (phase == PipePhase.ABSENT) {
                return crew;
            }
            if (AT_REST.contains(phase)) {
                return crew.turned(then, world.now(), then);
            }
            boolean ending = phase == PipePhase.STOPPING;
            return crew.turned(
                    PipePhase.STOPPING, ending ? crew.until() : world.now().plus(stopTime), then);
        });
    }
}
