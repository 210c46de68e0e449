package io.pilothouse.server.metrics;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.http.metrics.MetricsText;
import io.pilothouse.http.metrics.MetricsText.Kind;
import io.pilothouse.pipes.PipeCounters;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** What pipes have moved since this process began, in the names of the live service. */
public final class PipeMeter {
    private static final List<Family> FAMILIES = List.of(
            new Family(
                    "ClickPipes_FetchedEvents_Total",
                    Kind.COUNTER,
                    "Rows that were read.",
                    it -> it.amounts().fetchedRows()),
            new Family(
                    "ClickPipes_FetchedBytesCompressed_Total",
                    Kind.COUNTER,
                    "Bytes that were read, as the source has them.",
                    it -> it.amounts().fetchedBytes()),
            new Family(
                    "ClickPipes_SentEvents_Total",
                    Kind.COUNTER,
                    "Rows that were written.",
                    it -> it.amounts().sentRows()),
            new Family(
                    "ClickPipes_SentBytes_Total",
                    Kind.COUNTER,
                    "Bytes that were written.",
                    it -> it.amounts().sentBytes()),
            new Family(
                    "ClickPipes_Errors_Total",
                    Kind.COUNTER,
                    "Records that could not be read.",
                    it -> it.amounts().errors()),
            new Family(
                    "pilothouse_pipe_files_total",
                    Kind.COUNTER,
                    "Files that were loaded.",
                    it -> it.amounts().files()),
            new Family("pilothouse_pipe_workers", Kind.GAUGE, "Worker processes that run.", PipeCounters::workers));

    private final Supplier<Collection<PipeCounters>> counters;

    private record Family(String name, Kind kind, String help, ToLongFunction<PipeCounters> value) {}

    public PipeMeter(Supplier<Collection<PipeCounters>> counters) {
        this.counters = counters;
    }

    /** Writes nothing where no pipe has run. */
    public void write(MetricsText text) {
        Collection<PipeCounters> all = counters.get();
        if (all.isEmpty()) {
            return;
        }
        for (Family family : FAMILIES) {
            text.family(family.name(), family.kind(), family.help());
            for (PipeCounters each : all) {
                Pipe pipe = each.pipe();
                text.sample(
                        family.name(),
                        family.value().applyAsLong(each),
                        "clickhouse_org",
                        pipe.organizationId().toString(),
                        "clickhouse_service",
                        pipe.serviceId().toString(),
                        "clickpipe_id",
                        pipe.id().toString(),
                        "clickpipe_name",
                        pipe.name(),
                        "clickpipe_source",
                        pipe.kind().member());
            }
        }
    }
}
