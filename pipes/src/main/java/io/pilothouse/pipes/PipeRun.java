package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.PipePhase;
import io.pilothouse.core.pipe.PipeRunner.PipeSight;
import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.core.pipe.progress.PipeFigures;
import io.pilothouse.core.pipe.progress.PipeOffsets.PartLag;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.pipes.tables.PipeLog;
import io.pilothouse.pipes.tables.PipeTables;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Report;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One pipe that runs: a loop on a thread of its own that brings its workers to what is wanted, one step at a time,
 * until it is stopped, has failed or has nothing more to do. Everything else only says what is wanted, or what a worker
 * did. Safe for many threads.
 */
final class PipeRun implements PipeWorker.Listener {
    private static final Logger LOG = System.getLogger(PipeRun.class.getName());
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    /** Any other phase may have a sentence too, as about a table that is being read. */
    private static final Set<PipePhase> TROUBLE =
            EnumSet.of(PipePhase.DEGRADED, PipePhase.FAILED, PipePhase.INTERNAL_ERROR);

    private final PipeGround ground;
    private final PipeLog log;
    private final Consumer<Pipe> atEnd;
    private final PipeDatabase database;
    private final PipeAnswers answers;
    private final PipeHealth<PipeWorker> health;
    private final Crew crew;
    private final Assignments assignments;

    private Pipe wanted;
    private int takenGeneration;
    private boolean stopping;
    private boolean killed;
    private boolean ended;
    /** Whether a worker reported or ended since the last turn of the loop. */
    private boolean heard;

    private PipePhase phase = PipePhase.PROVISIONING;
    private @Nullable String fault;

    /** {@code log} gets what goes wrong, and {@code atEnd} hears of the pipe once nothing of it runs any more. */
    PipeRun(PipeGround ground, Pipe pipe, PipeLog log, Consumer<Pipe> atEnd) {
        this.ground = ground;
        this.log = log;
        this.atEnd = atEnd;
        this.wanted = pipe;
        this.database = new PipeDatabase(ground);
        this.answers = new PipeAnswers(ground, database);
        this.health = new PipeHealth<>(ground.clock());
        this.assignments = new Assignments(ground);
        this.crew = ground.connect()
                .filter(_ -> pipe.kind() == PipeKind.KAFKA)
                .<Crew>map(cluster -> new ConnectCrew(ground, cluster, pipe.id(), this))
                .orElseGet(() -> new PipeCrew(ground, this));
    }

    void begin() {
        ground.threads().execute(this::live);
    }

    /** Takes up another configuration, or the command to run again. */
    synchronized void want(Pipe pipe) {
        wanted = pipe;
        notifyAll();
    }

    synchronized void stop() {
        stopping = true;
        notifyAll();
    }

    /** Ends its workers as they are. */
    void kill() {
        synchronized (this) {
            killed = true;
            notifyAll();
        }
        crew.killAll();
    }

    synchronized boolean isEnded() {
        return ended;
    }

    synchronized boolean awaitEnd(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!ended && System.nanoTime() < deadline) {
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        }
        return ended;
    }

    synchronized PipeSight sight() {
        PipePhase seen = stopping && !ended ? PipePhase.STOPPING : phase;
        return new PipeSight(seen, takenGeneration, wanted.want().resyncs(), fault);
    }

    Map<String, PartLag> lags() {
        return health.lags();
    }

    PipeFigures figures() {
        Pipe pipe = wanted();
        Map<PipeFigure, Long> figures = new EnumMap<>(health.figures());
        figures.putAll(crew.figures());
        return new PipeFigures(pipe, figures, health.tables());
    }

    private void live() {
        try {
            work();
            leave();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException bug) {
            broken(bug);
        } finally {
            crew.killAll();
            synchronized (this) {
                ended = true;
                if (stopping) {
                    phase = PipePhase.STOPPED;
                    fault = null;
                }
                notifyAll();
            }
            atEnd.accept(wanted());
            ground.looking().look(wanted.id());
        }
    }

    /** Works until it is stopped or over; what runs its workers is left in an orderly way after a fault of ours too. */
    private void work() throws InterruptedException {
        try {
            ready();
        } catch (RuntimeException bug) {
            broken(bug);
            crew.killAll();
        }
    }

    private void broken(RuntimeException bug) {
        LOG.log(Level.ERROR, "The pipe " + wanted().id() + " cannot go on", bug);
        show(PipePhase.INTERNAL_ERROR, "The pipe cannot go on; the log has the details.");
    }

    private void ready() throws InterruptedException {
        long epoch = ground.ledger().begin(wanted.id());
        answers.under(epoch);
        int generation = -1;
        long replay = 0;
        while (!isStopping()) {
            Pipe pipe = wanted();
            boolean changed = pipe.want().generation() != generation;
            generation = pipe.want().generation();
            if (changed) {
                if (!takeUp(pipe)) {
                    return;
                }
                replay = answers.asked();
            }
            crew.bring(pipe, replay);
            if (!judge(pipe)) {
                return;
            }
            rest(generation);
        }
        crew.drainAll();
    }

    /** Takes away what runs the workers; where that is away, the pipe says so and does not come to rest before. */
    private void leave() throws InterruptedException {
        while (!isKilled() && !crew.left()) {
            synchronized (this) {
                if (stopping) {
                    phase = PipePhase.STOPPING;
                    fault = crew.trouble().orElse(null);
                }
                wait(BETWEEN_LOOKS.toMillis());
            }
        }
    }

    private synchronized boolean isKilled() {
        return killed;
    }

    /** Whether the pipe can work with this configuration. */
    private boolean takeUp(Pipe pipe) throws InterruptedException {
        synchronized (this) {
            takenGeneration = pipe.want().generation();
        }
        health.begin();
        String reason = new Unserved(ground.roles().isPresent())
                .reason(pipe.kind(), pipe.source())
                .orElse(null);
        if (reason == null) {
            try {
                answers.serve(pipe);
                database.prepareIfAwake(pipe, TargetColumns.of(pipe));
            } catch (PipeTables.Unfit unfit) {
                reason = unfit.getMessage();
            } catch (PlaneFault notNow) {
                LOG.log(Level.DEBUG, "The tables of the pipe {0} wait: {1}", pipe.id(), notNow.getMessage());
            }
        }
        if (reason != null) {
            crew.drainAll();
            show(PipePhase.FAILED, reason);
            return false;
        }
        boolean goesOn = sight().phase() == PipePhase.RUNNING;
        show(goesOn ? PipePhase.RUNNING : PipePhase.PROVISIONING, null);
        return true;
    }

    /** Whether the pipe goes on, from what its workers reported. */
    private boolean judge(Pipe pipe) throws InterruptedException {
        int replicas = assignments.size(pipe).replicas();
        Collection<PipeWorker> working = crew.working();
        PipeHealth.Verdict verdict =
                health.verdict(working, replicas, answers.unfit()).under(crew.trouble(), working.size() < replicas);
        boolean over = verdict.phase() == PipePhase.FAILED || verdict.phase() == PipePhase.COMPLETED;
        if (over) {
            crew.drainAll();
        }
        String sentence = verdict.sentence();
        if (sentence == null && verdict.phase() == PipePhase.RUNNING && !database.remembers()) {
            sentence = "Rows arrive at least once: the table has no deduplication window"
                    + " (non_replicated_deduplication_window), so what is sent again after a crash is there twice.";
        }
        show(verdict.phase(), sentence);
        return !over;
    }

    private synchronized void rest(int generation) throws InterruptedException {
        long deadline = System.nanoTime() + BETWEEN_LOOKS.toNanos();
        long left = BETWEEN_LOOKS.toMillis();
        while (!stopping && !heard && wanted.want().generation() == generation && left > 0) {
            wait(left);
            left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        }
        heard = false;
    }

    private void show(PipePhase next, @Nullable String sentence) {
        boolean changed;
        synchronized (this) {
            changed = next != phase || !Objects.equals(sentence, fault);
            phase = next;
            fault = sentence;
        }
        if (changed) {
            if (sentence != null && TROUBLE.contains(next)) {
                log.note(ground.clock().now(), wanted(), sentence);
            }
            ground.looking().look(wanted().id());
        }
    }

    private synchronized boolean isStopping() {
        return stopping;
    }

    private synchronized Pipe wanted() {
        return wanted;
    }

    @Override
    public Tree.Members answer(PipeWorker worker, About about, Tree.Members body)
            throws PlaneFault, InterruptedException {
        Tree.Members answer = answers.to(worker, about, body);
        return about == About.DATABASE ? crew.way(worker, answer) : answer;
    }

    @Override
    public synchronized void reported(PipeWorker worker, Report report) {
        health.reported(worker, report);
        if (isSteady(report.condition())) {
            crew.steady(worker);
        }
        heard = true;
        notifyAll();
    }

    private static boolean isSteady(Report.Condition condition) {
        return switch (condition) {
            case SNAPSHOT, RUNNING, BEHIND -> true;
            case STARTING, SETUP, WITHOUT_SOURCE, WITHOUT_DESTINATION, COMPLETED, FAILED -> false;
        };
    }

    @Override
    public void ended(PipeWorker worker, String how) {
        database.release(worker);
        crew.ended(worker, health.ended(worker, how));
        synchronized (this) {
            heard = true;
            notifyAll();
        }
    }
}
