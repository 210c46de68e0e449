package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Report.Condition;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.outside.BackOff;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Source;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.records.RecordLoad;
import io.pilothouse.pipes.worker.records.StreamTries;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads topics until the worker is to drain. Each worker of a pipe has its share of the partitions, and the ledger says
 * where each goes on; the consumer group is only told, so that others see how far the pipe is.
 */
public final class KafkaSource implements Source {
    private static final long LOOK_MILLIS = 10_000;
    private static final Duration CLOSES_WITHIN = Duration.ofSeconds(2);

    private final Link link;
    private final Assignment assignment;
    private final Destination destination;
    /** Whether the last batch is not in the database yet: that the brokers answer is not enough then. */
    private boolean stuck;

    public KafkaSource(Link link, Assignment assignment, Destination destination) {
        this.link = link;
        this.assignment = assignment;
        this.destination = destination;
    }

    @Override
    public void run() throws InterruptedException {
        new StreamTries(link).run(this::read);
    }

    private void read(BackOff backOff) throws Trouble, InterruptedException {
        KafkaVisit.with(KafkaLogin.of(assignment), CLOSES_WITHIN, consumer -> {
            read(consumer, backOff);
            return true;
        });
    }

    private void read(Consumer<byte[], byte[]> consumer, BackOff backOff) throws Trouble, InterruptedException {
        KafkaPlaces places = new KafkaPlaces(link, assignment, consumer);
        KafkaBatches batches = new KafkaBatches(assignment, consumer);
        RecordLoad load = new RecordLoad(link, assignment, destination);
        long next = System.nanoTime();
        while (!link.isDraining()) {
            load.replay();
            if (System.nanoTime() - next >= 0) {
                Map<TopicPartition, Span> found = places.find(batches.partitions());
                batches.add(found);
                next = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
                if (!stuck) {
                    link.lags(batches.lags());
                    link.report(Condition.RUNNING, load.wrong(), batches.lag());
                }
            }
            if (batches.partitions().isEmpty()) {
                // More workers than partitions: this one is there for those that may come.
                link.pause(LOOK_MILLIS);
            } else {
                batches.poll();
            }
            List<PartitionStretch> due = batches.due();
            if (!due.isEmpty()) {
                stuck = true;
                load.load(due);
                batches.done(due);
                stuck = false;
                backOff.reset();
                link.count(new Amounts(0, batches.received(), 0, 0, 0, 0), -1);
                link.lags(batches.lags());
                link.report(Condition.RUNNING, load.wrong(), batches.lag());
            }
        }
    }
}
