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
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Reads topics until the worker is to drain, and the next batch while one is inserted. Each worker of a pipe has its
 * share of the partitions, and the ledger says where each goes on; the consumer group is only told, so that others see
 * how far the pipe is.
 */
public final class KafkaSource implements Source {
    private static final long LOOK_MILLIS = 10_000;
    /** How long it waits for records at once while something is to be looked at beside them. */
    private static final long BUSY_MILLIS = 500;

    private static final Duration CLOSES_WITHIN = Duration.ofSeconds(2);

    private final Link link;
    private final Assignment assignment;
    private final Destination destination;
    private final ExecutorService threads;
    private final Clock clock;
    /** Whether the last batch is not in the database yet: that the brokers answer is not enough then. */
    private boolean stuck;

    public KafkaSource(
            Link link, Assignment assignment, Destination destination, ExecutorService threads, Clock clock) {
        this.link = link;
        this.assignment = assignment;
        this.destination = destination;
        this.threads = threads;
        this.clock = clock;
    }

    @Override
    public void run() throws InterruptedException {
        new StreamTries(link).run(this::read);
    }

    private void read(BackOff backOff) throws Trouble, InterruptedException {
        KafkaVisit.with(KafkaLogin.of(link, assignment, clock), CLOSES_WITHIN, consumer -> {
            read(consumer, backOff);
            return true;
        });
    }

    void read(Consumer<byte[], byte[]> consumer, BackOff backOff) throws Trouble, InterruptedException {
        KafkaPlaces places = new KafkaPlaces(link, assignment, consumer);
        KafkaBatches batches = new KafkaBatches(assignment, consumer);
        RecordLoad load = new RecordLoad(link, assignment, destination);
        BatchInHand hand = new BatchInHand(load, threads);
        link.whenDraining(consumer::wakeup);
        try {
            read(places, batches, load, hand, backOff);
        } catch (WakeupException _) {
            // It is to drain, and had nothing in hand that is not inserted below.
        } catch (InterruptedException | InterruptException over) {
            hand.giveUp();
            throw over;
        } finally {
            if (hand.end()) {
                // The next reader may find nothing more to insert, and is to say that all is well.
                stuck = false;
            }
        }
    }

    private void read(KafkaPlaces places, KafkaBatches batches, RecordLoad load, BatchInHand hand, BackOff backOff)
            throws Trouble, InterruptedException {
        long next = System.nanoTime();
        while (!link.isDraining()) {
            if (hand.isFree()) {
                load.replay();
            }
            if (System.nanoTime() - next >= 0) {
                Map<TopicPartition, Span> found = places.find(batches.partitions());
                batches.add(found);
                next = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
                if (!stuck) {
                    report(batches, load);
                }
            }
            if (batches.partitions().isEmpty()) {
                // More workers than partitions: this one is there for those that may come.
                link.pause(LOOK_MILLIS);
            } else {
                poll(batches, hand.isFree() && !load.isReplaying() ? LOOK_MILLIS : BUSY_MILLIS);
            }
            List<PartitionStretch> due = batches.due();
            if (hand.isDone() || (!hand.isFree() && !due.isEmpty())) {
                finish(hand, batches, load, backOff);
            }
            if (!due.isEmpty()) {
                stuck = true;
                batches.handOver(due);
                hand.take(due);
            }
        }
        if (!hand.isFree()) {
            finish(hand, batches, load, backOff);
        }
    }

    /** One that is to drain is woken. */
    private static void poll(KafkaBatches batches, long millis) {
        try {
            batches.poll(millis);
        } catch (WakeupException _) {
            // The loop ends by itself.
        }
    }

    /** Waits until what is in hand is in the table. */
    private void finish(BatchInHand hand, KafkaBatches batches, RecordLoad load, BackOff backOff)
            throws Trouble, InterruptedException {
        batches.done(hand.await());
        stuck = false;
        backOff.reset();
        link.count(new Amounts(0, batches.received(), 0, 0, 0, 0), -1);
        report(batches, load);
        // A stream that always has more leaves no other moment for it.
        load.replay();
    }

    private void report(KafkaBatches batches, RecordLoad load) {
        link.lags(batches.lags());
        link.report(Condition.RUNNING, load.wrong(), batches.lag());
    }
}
