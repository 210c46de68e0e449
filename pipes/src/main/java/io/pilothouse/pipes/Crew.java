package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.progress.PipeFigure;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** The workers of one pipe, wherever they run: as many as it has replicas, each with the pipe's present configuration. */
interface Crew {
    /**
     * Brings the workers to what the pipe wants, one step nearer each time; the first of them does the replays of kept
     * errors up to this number.
     */
    void bring(Pipe pipe, long replay) throws InterruptedException;

    /** Those that the pipe should have now. */
    Collection<PipeWorker> working();

    /** How many workers, what each may use, and what they use on average, as far as that is known. */
    Map<PipeFigure, Long> figures();

    /** A sentence about what runs the workers, while something is wrong with it. */
    Optional<String> trouble();

    /** It works. */
    void steady(PipeWorker worker);

    /** It ended; {@code said} is whether it had nothing more to do. */
    void ended(PipeWorker worker, boolean said);

    /** The way to the database as this worker is to take it, made of the way that the control plane takes. */
    Tree.Members way(PipeWorker worker, Tree.Members way);

    /** Lets them all finish what is in hand, and end. */
    void drainAll() throws InterruptedException;

    /** Whether nothing of them is left, once all have ended; tries to take it away where there is. */
    boolean left();

    void killAll();
}
