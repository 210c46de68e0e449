package io.pilothouse.core.pipe;

import io.pilothouse.core.port.PlaneFault;
import org.jspecify.annotations.Nullable;

/**
 * Moves the data of pipes. Everything is addressed by id and may be asked again at any time; only the engine calls
 * it. A call that fails throws {@link PlaneFault}.
 */
public interface PipeRunner {
    /** Looks at a pipe; changes nothing. */
    PipeSight observe(Pipe pipe) throws PlaneFault;

    /** Makes it run as wanted: takes up its configuration, and the resync that was asked for last. */
    void start(Pipe pipe) throws PlaneFault;

    /** Makes it stop and keeps its place in the source. */
    void stop(Pipe pipe) throws PlaneFault;

    /** Removes everything of it but the table it wrote to; a missing pipe is not an error. */
    void erase(Pipe pipe) throws PlaneFault;

    /** One look at a pipe: its phase, the generation and resync it has taken up, and a sentence when something is wrong. */
    record PipeSight(
            PipePhase phase,
            int generation,
            int resyncs,
            @Nullable String fault) {}
}
