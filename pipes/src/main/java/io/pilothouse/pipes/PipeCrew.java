package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Assignment.Share;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The workers of one pipe as child processes of this one. Changed ones are exchanged one after another. One that ended
 * without being asked is started again, later each time. Safe for many threads.
 */
final class PipeCrew implements Crew {
    private static final Logger LOG = System.getLogger(PipeCrew.class.getName());
    private static final Duration DRAINS_WITHIN = Duration.ofSeconds(20);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final int MAX_DOUBLINGS = 7;
    private static final int GIGABYTE = 1 << 30;

    private final PipeGround ground;
    private final PipeWorker.Listener listener;
    private final Assignments assignments;
    private final Map<Integer, PipeWorker> workers = new TreeMap<>();
    private final Map<Integer, Pause> pauses = new HashMap<>();

    /** When a worker that ended may be started again, and how often in a row it has been. */
    private record Pause(long until, int tries) {}

    PipeCrew(PipeGround ground, PipeWorker.Listener listener) {
        this.ground = ground;
        this.listener = listener;
        this.assignments = new Assignments(ground);
    }

    @Override
    public void bring(Pipe pipe, long replay) throws InterruptedException {
        List<Assignment> wanted = assignments.of(pipe, replay);
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

    private void start(Pipe pipe, Assignment assignment) {
        int index = assignment.share().index();
        pause(index);
        try {
            Process process = ground.program().start(group(assignment), assignments.size(pipe));
            PipeWorker worker = new PipeWorker(new ChildHost(process), assignment, listener, ground.threads());
            synchronized (this) {
                workers.put(index, worker);
            }
            worker.begin(ground.readers());
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

    /** The next start, if it is needed, comes at once. */
    @Override
    public synchronized void steady(PipeWorker worker) {
        pauses.remove(worker.assignment().share().index());
    }

    @Override
    public synchronized Collection<PipeWorker> working() {
        return List.copyOf(workers.values());
    }

    @Override
    public Map<PipeFigure, Long> figures() {
        List<PipeWorker> all = List.copyOf(working());
        Map<PipeFigure, Long> figures = new EnumMap<>(PipeFigure.class);
        figures.put(PipeFigure.WORKERS, (long) all.size());
        if (!all.isEmpty()) {
            Share share = all.getFirst().assignment().share();
            figures.put(PipeFigure.CPU_LIMIT, (long) share.millicores());
            figures.put(PipeFigure.MEMORY_LIMIT, (long) (share.memoryGb() * GIGABYTE));
        }
        List<ProcessUse> uses =
                all.stream().flatMap(worker -> worker.use().stream()).toList();
        average(uses, ProcessUse::millicores).ifPresent(usage -> figures.put(PipeFigure.CPU_USAGE, Math.round(usage)));
        average(uses, ProcessUse::memoryBytes)
                .ifPresent(usage -> figures.put(PipeFigure.MEMORY_USAGE, Math.round(usage)));
        return figures;
    }

    private static OptionalDouble average(List<ProcessUse> uses, Function<ProcessUse, OptionalLong> usage) {
        return uses.stream().flatMapToLong(use -> usage.apply(use).stream()).average();
    }

    /** One that ended without having said so is missing. */
    @Override
    public void ended(PipeWorker worker, boolean said) {
        ground.program().ended(group(worker.assignment()));
        if (!said) {
            synchronized (this) {
                workers.values().remove(worker);
            }
        }
    }

    @Override
    public Optional<String> trouble() {
        return Optional.empty();
    }

    @Override
    public Tree.Members way(PipeWorker worker, Tree.Members way) {
        return way;
    }

    @Override
    public boolean left() {
        return true;
    }

    @Override
    public void drainAll() throws InterruptedException {
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

    @Override
    public synchronized void killAll() {
        workers.values().forEach(PipeWorker::kill);
    }
}
