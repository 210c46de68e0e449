package io.pilothouse.core.pipe.progress;

/** A number about one pipe: its name on the live service, or one of ours where that has none, and what it counts. */
public enum PipeFigure {
    FETCHED_EVENTS("ClickPipes_FetchedEvents_Total", Kind.COUNTER, "Total number of records fetched from the source."),
    FETCHED_BYTES("ClickPipes_FetchedBytes_Total", Kind.COUNTER, "Total uncompressed bytes fetched from the source."),
    FETCHED_BYTES_COMPRESSED(
            "ClickPipes_FetchedBytesCompressed_Total",
            Kind.COUNTER,
            "Total bytes fetched from the source, as it sends them."),
    FETCHED_BYTES_INITIAL(
            "ClickPipes_FetchedBytesInitialLoad_Total",
            Kind.COUNTER,
            "Total uncompressed bytes fetched while the tables were first read."),
    FETCHED_BYTES_RESYNC(
            "ClickPipes_FetchedBytesResync_Total",
            Kind.COUNTER,
            "Total uncompressed bytes fetched while the tables were read again."),
    SENT_EVENTS("ClickPipes_SentEvents_Total", Kind.COUNTER, "Total number of records sent to ClickHouse."),
    SENT_BYTES("ClickPipes_SentBytes_Total", Kind.COUNTER, "Total uncompressed bytes sent to ClickHouse."),
    SENT_BYTES_COMPRESSED(
            "ClickPipes_SentBytesCompressed_Total", Kind.COUNTER, "Total bytes sent to ClickHouse, as they were sent."),
    ERRORS("ClickPipes_Errors_Total", Kind.COUNTER, "Total records that could not be ingested."),
    LATENCY_MILLIS(
            "ClickPipes_Latency",
            Kind.GAUGE,
            "Time in milliseconds between when a record was produced and when it was written to ClickHouse."),
    SLOT_MEBIBYTES(
            "ClickPipes_SourceReplicationLatency_MiB",
            Kind.GAUGE,
            "What the source keeps in its log for the slot of the pipe, in MiB."),
    CPU_USAGE("ClickPipes_Replica_CPUUsage", Kind.GAUGE, "Average CPU use of the replicas, in millicores."),
    CPU_LIMIT("ClickPipes_Replica_CPULimit", Kind.GAUGE, "CPU limit of a replica, in millicores."),
    MEMORY_USAGE("ClickPipes_Replica_MemoryUsage", Kind.GAUGE, "Average memory use of the replicas, in bytes."),
    MEMORY_LIMIT("ClickPipes_Replica_MemoryLimit", Kind.GAUGE, "Memory limit of a replica, in bytes."),
    LAG_RECORDS("pilothouse_pipe_lag_records", Kind.GAUGE, "Records of the source that are still to be read."),
    LAG_SECONDS(
            "pilothouse_pipe_lag_seconds",
            Kind.GAUGE,
            "How old records were when they were written, while there are more to read; 0 once all are."),
    ERROR_PERCENT(
            "pilothouse_pipe_error_percent",
            Kind.GAUGE,
            "Of a hundred records of the last five minutes, how many could not be ingested."),
    FILES("pilothouse_pipe_files_total", Kind.COUNTER, "Files that were loaded."),
    WORKERS("pilothouse_pipe_workers", Kind.GAUGE, "Worker processes that run.");

    /** Whether it only grows, or is a present value. */
    public enum Kind {
        COUNTER,
        GAUGE
    }

    private final String family;
    private final Kind kind;
    private final String help;

    PipeFigure(String family, Kind kind, String help) {
        this.family = family;
        this.kind = kind;
        this.help = help;
    }

    public String family() {
        return family;
    }

    public Kind kind() {
        return kind;
    }

    public String help() {
        return help;
    }
}
