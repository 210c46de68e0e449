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
    /** There is no sample of it. */
    private static final long UNKNOWN = -1;

    private static final int MEBIBYTE_BITS = 20;
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
            new Family(
                    "ClickPipes_SourceReplicationLatency_MiB",
                    Kind.GAUGE,
                    "What the source keeps in its log for the slot of the pipe.",
                    it -> it.keptBytes() < 0 ? UNKNOWN : it.keptBytes() >> MEBIBYTE_BITS),
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
            List<PipeCounters> known = all.stream()
                    .filter(each -> family.value().applyAsLong(each) != UNKNOWN)
                    .toList();
            if (!known.isEmpty()) {
                text.family(family.name(), family.kind(), family.help());
                known.forEach(each -> sample(text, family, each));
            }
        }
    }

    private static void sample(MetricsText text, Family family, PipeCounters counters) {
        Pipe pipe = counters.pipe();
        text.sample(
                family.name(),
                family.value().applyAsLong(counters),
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
