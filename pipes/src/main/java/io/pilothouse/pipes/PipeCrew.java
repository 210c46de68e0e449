package io.pilothouse.pipes;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeCdcScaling;
import io.pilothouse.core.pipe.PipeScaling;
import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.core.service.Service;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Assignment.Share;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The workers of one pipe: as many as it has replicas, each with the pipe's present configuration. Changed ones are
 * exchanged one after another. One that ended without being asked is started again, later each time. Safe for many
 * threads.
 */
final class PipeCrew {
    private static final Logger LOG = System.getLogger(PipeCrew.class.getName());
    private static final Duration DRAINS_WITHIN = Duration.ofSeconds(20);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final int MAX_DOUBLINGS = 7;
    private static final int GIGABYTE = 1 << 30;
    private static final int GIGABYTES_OF_A_FILE_WORKER = 8;
    private static final int MAX_FILES_AT_ONCE = 35;

    private final PipeGround ground;
    private final PipeWorker.Listener listener;
    private final PipeSecrets secrets;
    private final Map<Integer, PipeWorker> workers = new TreeMap<>();
    private final Map<Integer, Pause> pauses = new HashMap<>();

    /** When a worker that ended may be started again, and how often in a row it has been. */
    private record Pause(long until, int tries) {}

    PipeCrew(PipeGround ground, PipeWorker.Listener listener) {
        this.ground = ground;
        this.listener = listener;
        this.secrets = new PipeSecrets(ground.vault());
    }

    /** Brings the workers to what the pipe wants. */
    void bring(Pipe pipe) throws InterruptedException {
        List<Assignment> wanted = assignments(pipe);
        drain(surplus(wanted));
        for (Assignment assignment : wanted) {
            int index = assignment.share().index();
            PipeWorker worker = at(index);
            if (worker != null && !worker.assignment().equals(assignment)) {
                drain(List.of(worker));
                worker = null;
            }
            if (worker == null && mayStart(index)) {
                start(pipe, assignment);
            }
        }
    }

    /** Those that are too many; all of them where their number changes, on which the share of each depends. */
    private synchronized List<PipeWorker> surplus(List<Assignment> wanted) {
        int share = wanted.getFirst().share().workers();
        return workers.values().stream()
                .filter(worker -> worker.assignment().share().index() >= wanted.size()
                        || worker.assignment().share().workers() != share)
                .toList();
    }

    private synchronized @Nullable PipeWorker at(int index) {
        return workers.get(index);
    }

    /** How many workers of which size: those of a database share one slot, and so are one. */
    PipeScaling size(Pipe pipe) {
        if (!pipe.database()) {
            return pipe.scaling();
        }
        return ground.store()
                .read(rows -> rows.of(PipeCdcScaling.KIND).find(pipe.serviceId()))
                .map(shared -> new PipeScaling(1, 0, shared.replicaCpuMillicores(), shared.replicaMemoryGb()))
                .orElse(PipeScaling.SMALLEST);
    }

    private List<Assignment> assignments(Pipe pipe) {
        PipeScaling scaling = size(pipe);
        List<Assignment> assignments = new ArrayList<>();
        for (int index = 0; index < scaling.replicas(); index++) {
            assignments.add(assignment(pipe, scaling, index, false));
        }
        return assignments;
    }

    /** For a worker that only takes away what the pipe made at its source. */
    Assignment farewell(Pipe pipe) {
        return assignment(pipe, size(pipe), 0, true);
    }

    private Assignment assignment(Pipe pipe, PipeScaling scaling, int index, boolean leaving) {
        return new Assignment(
                pipe.id().toString(),
                pipe.kind().member(),
                new SourcePlace(ground.kinesis()).of(pipe.kind(), pipe.source()),
                secrets.of(pipe),
                pipe.settings(),
                TargetColumns.of(pipe),
                pipe.want().resyncs(),
                leaving,
                new Share(
                        index,
                        scaling.replicas(),
                        concurrency(pipe),
                        scaling.replicaMemoryGb(),
                        scaling.replicaCpuMillicores()));
    }

    /** As many files at once as were asked for, else one for each eight gigabytes of the service. */
    private int concurrency(Pipe pipe) {
        if (pipe.scaling().concurrency() > 0) {
            return pipe.scaling().concurrency();
        }
        return pipe.settings()
                .number("object_storage_concurrency")
                .map(Double::intValue)
                .orElseGet(() -> ground.store()
                        .read(rows -> rows.of(Service.KIND).find(pipe.serviceId()))
                        .map(service -> service.scalingNow().maxReplicaMemoryGb() / GIGABYTES_OF_A_FILE_WORKER)
                        .map(files -> Math.clamp(files, 1, MAX_FILES_AT_ONCE))
                        .orElse(1));
    }

    private void start(Pipe pipe, Assignment assignment) {
        int index = assignment.share().index();
        pause(index);
        try {
            Process process = ground.program().start(group(assignment), size(pipe));
            PipeWorker worker = PipeWorker.begin(process, assignment, listener, ground.readers(), ground.threads());
            synchronized (this) {
                workers.put(index, worker);
            }
        } catch (IOException failure) {
            LOG.log(Level.WARNING, "A worker of the pipe {0} cannot be started: {1}", pipe.id(), failure.getMessage());
        }
    }

    /** The name of a worker's control group. */
    static String group(Assignment assignment) {
        return assignment.pipe() + "-" + assignment.share().index();
    }

    private synchronized boolean mayStart(int index) {
        Pause pause = pauses.get(index);
        return pause == null || System.nanoTime() - pause.until() >= 0;
    }

    /** The pause before the next start, should this one not last. */
    private synchronized void pause(int index) {
        Pause before = pauses.get(index);
        int tries = before == null ? 0 : Math.min(before.tries() + 1, MAX_DOUBLINGS);
        pauses.put(index, new Pause(System.nanoTime() + (FIRST_PAUSE.toNanos() << tries), tries));
    }

    /** It works: the next start, if it is needed, comes at once. */
    synchronized void steady(PipeWorker worker) {
        pauses.remove(worker.assignment().share().index());
    }

    /** Those that the pipe should have now. */
    synchronized Collection<PipeWorker> working() {
        return List.copyOf(workers.values());
    }

    /** How many there are, what each may use, and what they use on average. */
    Map<PipeFigure, Long> figures() {
        List<PipeWorker> all = List.copyOf(working());
        Map<PipeFigure, Long> figures = new EnumMap<>(PipeFigure.class);
        figures.put(PipeFigure.WORKERS, (long) all.size());
        if (!all.isEmpty()) {
            Share share = all.getFirst().assignment().share();
            figures.put(PipeFigure.CPU_LIMIT, (long) share.millicores());
            figures.put(PipeFigure.MEMORY_LIMIT, (long) (share.memoryGb() * GIGABYTE));
        }
        average(all, worker -> worker.use().millicores())
                .ifPresent(usage -> figures.put(PipeFigure.CPU_USAGE, Math.round(usage)));
        average(all, worker -> worker.use().memoryBytes())
                .ifPresent(usage -> figures.put(PipeFigure.MEMORY_USAGE, Math.round(usage)));
        return figures;
    }

    private static OptionalDouble average(List<PipeWorker> workers, Function<PipeWorker, OptionalLong> usage) {
        return workers.stream()
                .flatMapToLong(worker -> usage.apply(worker).stream())
                .average();
    }

    /** It ended without having said so, and is missing. */
    synchronized void lost(PipeWorker worker) {
        workers.values().remove(worker);
    }

    void drainAll() throws InterruptedException {
        List<PipeWorker> all;
        synchronized (this) {
            all = List.copyOf(workers.values());
        }
        drain(all);
    }

    private void drain(List<PipeWorker> leaving) throws InterruptedException {
        leaving.forEach(PipeWorker::drain);
        for (PipeWorker worker : leaving) {
            if (!worker.awaitEnd(DRAINS_WITHIN)) {
                worker.kill();
            }
            synchronized (this) {
                workers.values().remove(worker);
                pauses.remove(worker.assignment().share().index());
            }
        }
    }

    synchronized void killAll() {
        workers.values().forEach(PipeWorker::kill);
    }
}
