package io.pilothouse.plane.simulated;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipePhase;
import io.pilothouse.core.pipe.PipeRunner;
import io.pilothouse.core.pipe.PipeSeen;
import io.pilothouse.core.port.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A runner that moves no data: pipes walk through their phases. It remembers only what is changing; otherwise it
 * believes what the engine last saw. Safe for many threads.
 */
public final class SimulatedRunner implements PipeRunner {
    private final Clock clock;
    private final Duration phaseTime;
    private final Map<UUID, Walk> walks = new ConcurrentHashMap<>();

    /** Phases that follow each other, each for the same time; the last one stays. */
    private record Walk(List<PipePhase> phases, Instant begun, int generation, int resyncs) {}

    public SimulatedRunner(Clock clock, Duration phaseTime) {
        this.clock = clock;
        this.phaseTime = phaseTime;
    }

    @Override
    public PipeSight observe(Pipe pipe) {
        Walk walk = walks.computeIfPresent(pipe.id(), (_, known) -> isStale(known, pipe.seen()) ? null : known);
        PipeSeen seen = pipe.seen();
        if (walk == null) {
            return new PipeSight(believed(seen.phase()), seen.generation(), seen.resyncs(), null);
        }
        PipePhase phase = at(walk);
        if (phase == walk.phases().getLast() && (phase == seen.phase() || phase == PipePhase.ABSENT)) {
            walks.remove(pipe.id(), walk);
        }
        return new PipeSight(phase, walk.generation(), walk.resyncs(), null);
    }

    /** Of what was recorded since it began, another process that shares the store has made something else. */
    private static boolean isStale(Walk walk, PipeSeen seen) {
        boolean other = seen.phase() != PipePhase.UNKNOWN && !walk.phases().contains(seen.phase());
        boolean newer = seen.generation() > walk.generation() || seen.resyncs() > walk.resyncs();
        return seen.since().isAfter(walk.begun()) && (other || newer);
    }

    private PipePhase at(Walk walk) {
        long passed = Duration.between(walk.begun(), clock.now()).toNanos() / Math.max(1, phaseTime.toNanos());
        return walk.phases().get((int) Math.min(passed, walk.phases().size() - 1L));
    }

    /** Pipes that were under way when this process began count as stopped: the engine asks for them again. */
    private static PipePhase believed(PipePhase seen) {
        return switch (seen) {
            case PROVISIONING, SETUP, SNAPSHOT, STOPPING -> PipePhase.STOPPED;
            case UNKNOWN, ABSENT -> PipePhase.ABSENT;
            case RUNNING, DEGRADED, STOPPED, COMPLETED, FAILED, INTERNAL_ERROR -> seen;
        };
    }

    @Override
    public void start(Pipe pipe) {
        PipeSight now = observe(pipe);
        boolean resync = now.resyncs() < pipe.want().resyncs();
        List<PipePhase> phases =
                now.phase() == PipePhase.RUNNING && !resync ? List.of(PipePhase.RUNNING) : phases(pipe, resync);
        walks.put(
                pipe.id(),
                new Walk(
                        phases,
                        clock.now(),
                        pipe.want().generation(),
                        pipe.want().resyncs()));
    }

    private static List<PipePhase> phases(Pipe pipe, boolean resync) {
        return switch (pipe.kind()) {
            case KAFKA, KINESIS, PUBSUB -> List.of(PipePhase.PROVISIONING, PipePhase.RUNNING);
            case OBJECT_STORAGE ->
                pipe.endsByItself()
                        ? List.of(PipePhase.PROVISIONING, PipePhase.RUNNING, PipePhase.COMPLETED)
                        : List.of(PipePhase.PROVISIONING, PipePhase.RUNNING);
            case POSTGRES, MYSQL, MONGODB, BIGQUERY ->
                switch (pipe.replicationMode()) {
                    case "cdc_only" ->
                        resync
                                ? List.of(PipePhase.PROVISIONING, PipePhase.SNAPSHOT, PipePhase.RUNNING)
                                : List.of(PipePhase.PROVISIONING, PipePhase.SETUP, PipePhase.RUNNING);
                    case "snapshot" ->
                        List.of(PipePhase.PROVISIONING, PipePhase.SETUP, PipePhase.SNAPSHOT, PipePhase.COMPLETED);
                    default -> List.of(PipePhase.PROVISIONING, PipePhase.SETUP, PipePhase.SNAPSHOT, PipePhase.RUNNING);
                };
        };
    }

    @Override
    public void stop(Pipe pipe) {
        end(pipe, PipePhase.STOPPED);
    }

    @Override
    public void erase(Pipe pipe) {
        end(pipe, PipePhase.ABSENT);
    }

    /** Forgets what it remembers of the pipes with these ids: of them it believes their rows alone from now on. */
    public void forget(Set<UUID> ids) {
        walks.keySet().removeAll(ids);
    }

    private void end(Pipe pipe, PipePhase then) {
        PipeSight now = observe(pipe);
        if (now.phase() == PipePhase.ABSENT || now.phase() == then) {
            return;
        }
        walks.compute(pipe.id(), (_, walk) -> {
            boolean ending = walk != null && walk.phases().getFirst() == PipePhase.STOPPING;
            Instant begun = ending ? walk.begun() : clock.now();
            return new Walk(List.of(PipePhase.STOPPING, then), begun, now.generation(), now.resyncs());
        });
    }
}
