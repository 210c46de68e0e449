package io.pilothouse.server.metrics;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.progress.PipeProgress;
import io.pilothouse.http.metrics.MetricsText;
import io.pilothouse.http.metrics.PipeText;

/** What pipes have moved since they were started, in the names of the live service. */
public final class PipeMeter {
    private final PipeProgress pipes;

    public PipeMeter(PipeProgress pipes) {
        this.pipes = pipes;
    }

    /** Writes nothing where no pipe has run. */
    public void write(MetricsText text) {
        PipeText.write(pipes.all(), PipeMeter::labels, text::append);
    }

    private static String[] labels(Pipe pipe) {
        return new String[] {
            "clickhouse_org",
            pipe.organizationId().toString(),
            "clickhouse_service",
            pipe.serviceId().toString()
        };
    }
}
