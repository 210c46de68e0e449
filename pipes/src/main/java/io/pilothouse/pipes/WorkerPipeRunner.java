package io.pilothouse.pipes;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.PipePhase;
import io.pilothouse.core.pipe.PipeRunner;
import io.pilothouse.core.pipe.PipeSeen;
import io.pilothouse.core.pipe.progress.PipeFigures;
import io.pilothouse.core.pipe.progress.PipeOffsets.PartLag;
import io.pilothouse.core.pipe.progress.PipeProgress;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import io.pilothouse.pipes.tables.PipeLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs pipes as child processes of this one, and those from Kafka in Kafka Connect where there is one. A pipe without a
 * run here does not run, whatever it did for an earlier control plane, whose workers ended with it or are turned away;
 * what had failed or completed has done so still. Safe for many threads.
 */
public final class WorkerPipeRunner implements PipeRunner, PipeProgress {
    private static final Logger LOG = System.getLogger(WorkerPipeRunner.class.getName());
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(30);
    private static final Duration LEAVES_WITHIN = Duration.ofSeconds(3);
    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(30);
    private static final int PAGE = 500;

    private final PipeGround ground;
    private final Map<UUID, PipeRun> runs = new ConcurrentHashMap<>();
    private final StandingSlots.ByOrganization byOrganization = new StandingSlots.ByOrganization();
    private final StandingSlots slots;
    private final PipeLog log;
    /** Of pipes that were stopped. */
    private final Map<UUID, Map<String, PartLag>> lastLags = new ConcurrentHashMap<>();

    private final Set<UUID> erased = ConcurrentHashMap.newKeySet();

    public WorkerPipeRunner(PipeGround ground) {
        this.ground = ground;
        this.log = new PipeLog(
                ground.databases(),
                id -> ground.store().read(rows -> rows.of(Service.KIND).find(id)));
        this.slots = new StandingSlots(this::standing, () -> PipeVisit.Measuring.in(ground), StandingSlots.Pace.USUAL);
    }

    /** A pipe of which nothing runs here, and that has a slot at its source. */
    private Optional<Pipe> standing(UUID id) {
        PipeRun run = runs.get(id);
        return ground.store()
                .read(rows -> rows.of(Pipe.KIND).find(id))
                .filter(pipe -> pipe.want().wish() != Pipe.Wish.DELETE)
                .filter(_ -> run == null || run.isEnded())
                .filter(_ -> ground.ledger().hasFootprint(id));
    }

    private static boolean mayHaveSlot(Pipe pipe) {
        return pipe.kind() == PipeKind.POSTGRES && !pipe.endsByItself();
    }

    /** Has the engine look at every pipe that is to run: its workers ended with the process before this one. */
    public void begin() {
        List<UUID> left = new ArrayList<>();
        List<Pipe> page = after(null);
        while (!page.isEmpty()) {
            page.stream()
                    .filter(WorkerPipeRunner::isToRun)
                    .forEach(pipe -> ground.looking().look(pipe.id()));
            page.stream().filter(pipe -> mayHaveSlot(pipe) && !isToRun(pipe)).forEach(pipe -> slots.watch(pipe.id()));
            page.stream().filter(WorkerPipeRunner::mayBeLeft).map(Pipe::id).forEach(left::add);
            page = after(page.getLast().id());
        }
        slots.begin(ground.threads());
        log.begin(ground.threads());
        ground.connect().filter(_ -> !left.isEmpty()).ifPresent(cluster -> {
            LeftConnectors connectors = new LeftConnectors(cluster.connectors(), runs::containsKey, BETWEEN_TRIES);
            ground.threads().execute(() -> connectors.stop(left));
        });
    }

    /** A pipe was seen to have stopped only once its connector was. */
    private static boolean mayBeLeft(Pipe pipe) {
        PipePhase seen = pipe.seen().phase();
        return pipe.kind() == PipeKind.KAFKA && !isToRun(pipe) && seen != PipePhase.STOPPED && seen != PipePhase.ABSENT;
    }

    private List<Pipe> after(@Nullable UUID id) {
        return ground.store().read(rows -> rows.of(Pipe.KIND).all(id, PAGE));
    }

    private static boolean isToRun(Pipe pipe) {
        return pipe.want().wish() == Pipe.Wish.RUN && believed(pipe.seen().phase()) == PipePhase.STOPPED;
    }

    @Override
    public PipeSight observe(Pipe pipe) {
        PipeRun run = runs.get(pipe.id());
        if (run != null) {
            return run.sight();
        }
        PipeSeen seen = pipe.seen();
        if (erased.remove(pipe.id())) {
            return new PipeSight(PipePhase.ABSENT, seen.generation(), seen.resyncs(), null);
        }
        PipePhase phase = standing(pipe);
        boolean over = phase == PipePhase.FAILED || phase == PipePhase.COMPLETED;
        return new PipeSight(phase, seen.generation(), seen.resyncs(), over ? seen.trouble() : null);
    }

    /** What failed and is not to run any more is stopped. */
    private static PipePhase standing(Pipe pipe) {
        PipePhase phase = believed(pipe.seen().phase());
        return phase == PipePhase.FAILED && pipe.want().wish() == Pipe.Wish.STOP ? PipePhase.STOPPED : phase;
    }

    private static PipePhase believed(PipePhase seen) {
        return switch (seen) {
            case PROVISIONING, SETUP, SNAPSHOT, RUNNING, DEGRADED, STOPPING, STOPPED, INTERNAL_ERROR ->
                PipePhase.STOPPED;
            case UNKNOWN, ABSENT -> PipePhase.ABSENT;
            case COMPLETED, FAILED -> seen;
        };
    }

    @Override
    public void start(Pipe pipe) {
        slots.forget(pipe.id());
        runs.compute(pipe.id(), (_, run) -> {
            if (run != null && !run.isEnded()) {
                run.want(pipe);
                return run;
            }
            byOrganization.add(pipe);
            PipeRun next = new PipeRun(ground, pipe, log, this::ended);
            next.begin();
            return next;
        });
    }

    @Override
    public void stop(Pipe pipe) {
        PipeRun run = runs.get(pipe.id());
        if (run != null) {
            run.stop();
        }
        if (run != null && run.isEnded()) {
            leave(pipe, run);
        }
    }

    /** Its slot is there still, and grows, whether it was stopped or has failed. */
    private void ended(Pipe pipe) {
        if (mayHaveSlot(pipe)) {
            slots.watch(pipe.id());
        }
    }

    private void leave(Pipe pipe, PipeRun run) {
        runs.computeIfPresent(pipe.id(), (_, now) -> {
            if (now != run) {
                return now;
            }
            lastLags.put(pipe.id(), run.lags());
            byOrganization.remove(pipe);
            return null;
        });
    }

    @Override
    public void erase(Pipe pipe) throws PlaneFault {
        PipeRun run = runs.get(pipe.id());
        if (run != null) {
            run.stop();
            run.kill();
            awaitEnd(run);
            leave(pipe, run);
        }
        lastLags.remove(pipe.id());
        slots.forget(pipe.id());
        if (pipe.kind() == PipeKind.KAFKA) {
            disconnect(pipe);
        }
        PipeFarewell.say(ground, pipe);
        ground.ledger().forget(pipe.id());
        erased.add(pipe.id());
    }

    private void disconnect(Pipe pipe) throws PlaneFault {
        try {
            if (ground.connect().isPresent()) {
                ground.connect().get().connectors().delete(ConnectCluster.name(pipe.id()));
            }
        } catch (Connectors.Away away) {
            if (!PipeFarewell.isGivenUp(ground, pipe)) {
                throw new PlaneFault(away.sentence(), away);
            }
            LOG.log(
                    Level.WARNING,
                    "The pipe {0} is deleted, and its connector may still be in Kafka Connect: {1}",
                    pipe.id(),
                    away.sentence());
        }
    }

    /**
     * Ends the workers of these pipes as they are and remembers nothing of them: their rows are others from now on.
     * What they have at their sources stays there.
     */
    public void forget(Set<UUID> ids) throws PlaneFault {
        for (UUID id : ids) {
            PipeRun run = runs.get(id);
            if (run != null) {
                run.stop();
                run.kill();
            }
        }
        for (UUID id : ids) {
            PipeRun run = runs.get(id);
            if (run != null) {
                awaitEnd(run);
                byOrganization.remove(run.figures().pipe());
                runs.remove(id, run);
            }
            lastLags.remove(id);
            slots.forget(id);
            erased.remove(id);
        }
    }

    private static void awaitEnd(PipeRun run) throws PlaneFault {
        try {
            if (!run.awaitEnd(ENDS_WITHIN)) {
                throw new PlaneFault("The workers of the pipe have not ended yet.");
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new PlaneFault("The work on the pipe was cut short.", stopping);
        }
    }

    @Override
    public Optional<PipeFigures> find(UUID pipeId) {
        Optional<PipeFigures> slot = slots.find(pipeId);
        return Optional.ofNullable(runs.get(pipeId))
                .map(run -> slot.map(figures -> run.figures().with(figures.values()))
                        .orElseGet(run::figures))
                .or(() -> slot);
    }

    @Override
    public List<PipeFigures> ofOrganization(UUID organizationId, int limit) {
        return Stream.concat(byOrganization.of(organizationId).stream(), slots.ofOrganization(organizationId).stream())
                .distinct()
                .flatMap(id -> find(id).stream())
                .limit(limit)
                .toList();
    }

    @Override
    public Map<String, PartLag> lags(UUID pipeId) {
        PipeRun run = runs.get(pipeId);
        Map<String, PartLag> lags = new HashMap<>(lastLags.getOrDefault(pipeId, Map.of()));
        if (run != null) {
            lags.putAll(run.lags());
        }
        return lags;
    }

    @Override
    public void forgetLags(UUID pipeId) {
        lastLags.remove(pipeId);
    }

    @Override
    public List<PipeFigures> all() {
        return Stream.concat(
                        runs.keySet().stream(),
                        slots.all().stream().map(figures -> figures.pipe().id()))
                .distinct()
                .flatMap(id -> find(id).stream())
                .toList();
    }

    /** Ends every worker; pipes go on where they were after the next start. */
    public void close() throws InterruptedException {
        slots.close();
        runs.values().forEach(PipeRun::stop);
        long deadline = System.nanoTime() + LEAVES_WITHIN.toNanos();
        for (PipeRun run : runs.values()) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            if (!run.awaitEnd(left)) {
                run.kill();
            }
        }
    }
}
