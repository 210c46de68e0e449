package io.pilothouse.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What pipes cost that have nothing to do, and pipes that are stopped. */
final class RestFigures {
    private static final int STOPPED = 100;
    private static final double MAX_MIB = 150;
    private static final double MAX_PERCENT = 0.5;

    private final Report report;
    private final PipeFigures.Amount scale;

    RestFigures(Report report, PipeFigures.Amount scale) {
        this.report = report;
        this.scale = scale;
    }

    private static String pipe(Broker broker, String more) {
        return """
            {"name": "Stream", "source": {"kafka": {"brokers": "%s", "topics": "quiet"}}%s,
             "destination": {"table": "quiet", "managedTable": true,
               "tableDefinition": {"engine": {"type": "MergeTree"}, "sortingKey": ["id"]},
               "columns": [{"name": "id", "type": "UInt64"}]}}""".formatted(broker.place(), more);
    }

    /** The topic {@code quiet} must be there. */
    void run(PipedService service, Broker broker) throws IOException, InterruptedException {
        ProcessHandle program = service.program().handle();
        String pipe = service.pipe(pipe(broker, ""));
        service.awaitState(pipe, "Running");
        TimeUnit.NANOSECONDS.sleep(scale.calm().toNanos());
        ProcessHandle worker = program.descendants()
                .filter(process -> process.info().commandLine().orElse("").contains("WorkerMain"))
                .findFirst()
                .orElseThrow(() -> new IOException("The pipe has no worker"));
        double percent = percent(worker);
        report.atMost("a worker of Kafka at rest: resident memory", Machine.residentMib(worker), "", "MiB", MAX_MIB);
        report.atMost("a worker of Kafka at rest: share of a processor", percent, "", "%", MAX_PERCENT);
        service.delete(pipe);
        TimeUnit.NANOSECONDS.sleep(scale.calm().toNanos());
        double without = percent(program);
        double mibWithout = service.program().residentMib();
        for (int number = 0; number < STOPPED; number++) {
            service.pipe(pipe(broker, ", \"startPaused\": true"));
        }
        TimeUnit.NANOSECONDS.sleep(scale.calm().toNanos());
        double with = percent(program);
        report.beside(
                STOPPED + " stopped pipes: the control plane's share of a processor; beside it without them",
                List.of(with),
                List.of(without),
                "%");
        report.beside(
                STOPPED + " stopped pipes: the control plane's resident memory; beside it without them",
                List.of(service.program().residentMib()),
                List.of(mibWithout),
                "MiB");
    }

    /** The share of one processor that a process takes while nothing happens. */
    private double percent(ProcessHandle process) throws IOException, InterruptedException {
        Duration before = Program.processorTime(process);
        TimeUnit.NANOSECONDS.sleep(scale.calm().toNanos());
        Duration took = Program.processorTime(process).minus(before);
        return 100.0 * took.toNanos() / scale.calm().toNanos();
    }
}
