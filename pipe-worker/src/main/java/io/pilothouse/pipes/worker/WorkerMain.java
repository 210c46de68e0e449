package io.pilothouse.pipes.worker;

import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Assignment.Errand;
import io.pilothouse.pipes.wire.Report.Condition;
import io.pilothouse.pipes.wire.Wire;
import io.pilothouse.pipes.wire.Words;
import io.pilothouse.pipes.worker.discovery.Discovery;
import io.pilothouse.pipes.worker.files.FileSource;
import io.pilothouse.pipes.worker.kafka.KafkaSource;
import io.pilothouse.pipes.worker.kinesis.KinesisSource;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Source;
import io.pilothouse.pipes.worker.postgres.PostgresSource;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * One replica of a pipe, or a look at a source that there is no pipe from yet. It is told its work on its standard
 * input, which is also how it learns that its parent is gone; then it ends at once, because what it would write then
 * nobody could fence off.
 */
public final class WorkerMain {
    private WorkerMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        // Repeating a POST on its own account is what the tokens are for, not the client.
        System.setProperty("sun.net.http.retryPost", "false");
        // What a sender may be ahead of its reader is in memory, for each shard of a stream.
        System.setProperty("jdk.httpclient.windowsize", Integer.toString(1 << 20));
        Wire wire = new Wire(System.in, new FileOutputStream(FileDescriptor.out));
        // Whatever a library prints must not get between the messages.
        System.setOut(System.err);
        Link link = new Link(wire, status -> Runtime.getRuntime().halt(status));
        Thread.ofPlatform().daemon().name("parent").start(link::listen);
        Assignment assignment = link.awaitAssignment();
        link.report(Condition.STARTING, "", -1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            if (List.of(arguments).contains(Words.LOOK)) {
                new Discovery(link, assignment, Clock.systemUTC()).run();
            } else {
                source(link, assignment, threads).run();
                while (assignment.errand() == Errand.MEASURE) {
                    // Starting costs more than the work: the same worker measures others, until its parent ends it.
                    assignment = link.awaitAssignment();
                    source(link, assignment, threads).run();
                }
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private static Source source(Link link, Assignment assignment, ExecutorService threads) {
        Destination destination = new Destination(link, assignment.target());
        return switch (assignment.kind()) {
            case "postgres" -> new PostgresSource(link, assignment, destination, threads, Clock.systemUTC());
            case "objectStorage" -> new FileSource(link, assignment, destination, threads, Clock.systemUTC());
            case "kafka" -> new KafkaSource(link, assignment, destination, threads, Clock.systemUTC());
            case "kinesis" -> new KinesisSource(link, assignment, destination, threads, Clock.systemUTC());
            default -> throw new IllegalArgumentException("No source of the kind " + assignment.kind());
        };
    }
}
