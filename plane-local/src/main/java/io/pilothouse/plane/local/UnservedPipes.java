package io.pilothouse.plane.local;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipePhase;
import io.pilothouse.core.pipe.PipeRunner;

/** The pipes of a plane without workers: one that is to run fails and says what is missing, for it would move no data. */
public final class UnservedPipes implements PipeRunner {
    @Override
    public PipeSight observe(Pipe pipe) {
        Pipe.Want want = pipe.want();
        return switch (want.wish()) {
            case RUN ->
                new PipeSight(
                        PipePhase.FAILED,
                        want.generation(),
                        want.resyncs(),
                        "This server was started without its pipe workers, so nothing reads from "
                                + pipe.kind().title());
            case STOP -> new PipeSight(PipePhase.STOPPED, want.generation(), want.resyncs(), null);
            case DELETE -> new PipeSight(PipePhase.ABSENT, want.generation(), want.resyncs(), null);
        };
    }

    @Override
    public void start(Pipe pipe) {
        // There is nothing that could be started.
    }

    @Override
    public void stop(Pipe pipe) {
        // It stands still.
    }

    @Override
    public void erase(Pipe pipe) {
        // It left nothing.
    }
}
