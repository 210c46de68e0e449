package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Span;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Gathers records by their partitions until it is time to insert them: there are many, they are large, or one has
 * waited long. For one thread.
 */
final class KafkaBatches {
    private static final int ROWS = 100_000;
    private static final int BYTES_A_GIGABYTE = 32 << 20;
    private static final long USUAL_WAIT_MILLIS = 5_000;
    private static final long POLL_MILLIS = 500;
    private static final int NANOS_IN_A_MILLI = 1_000_000;

    private final Consumer<byte[], byte[]> consumer;
    private final long mostBytes;
    private final long waitMillis;
    private final Map<TopicPartition, Stretch> stretches = new LinkedHashMap<>();
    private long received;

    KafkaBatches(Assignment assignment, Consumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
        this.mostBytes = (long) (BYTES_A_GIGABYTE * assignment.share().memoryGb());
        this.waitMillis = assignment
                .settings()
                .number("streaming_max_insert_wait_ms")
                .map(Double::longValue)
                .orElse(USUAL_WAIT_MILLIS);
    }

    Set<TopicPartition> partitions() {
        return Set.copyOf(stretches.keySet());
    }

    /** Reads these partitions too, each from where the ledger has it. */
    void add(Map<TopicPartition, Span> found) {
        if (found.isEmpty()) {
            return;
        }
        found.forEach((partition, span) -> stretches.put(partition, new Stretch(partition, span)));
        consumer.assign(stretches.keySet());
        // What the topic itself has let go of cannot be read any more.
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(found.keySet());
        found.forEach((partition, span) ->
                consumer.seek(partition, Math.max(span.from(), begins.getOrDefault(partition, 0L))));
    }

    void poll() {
        for (ConsumerRecord<byte[], byte[]> record :
                consumer.poll(Duration.ofMillis(Math.clamp(left(), 1, POLL_MILLIS)))) {
            stretch(record).add(record);
        }
    }

    private Stretch stretch(ConsumerRecord<byte[], byte[]> record) {
        Stretch stretch = stretches.get(new TopicPartition(record.topic(), record.partition()));
        if (stretch == null) {
            throw new IllegalStateException("a record of a partition that was not asked for");
        }
        return stretch;
    }

    /** How long the record that waits longest may still wait. */
    private long left() {
        long now = System.nanoTime();
        return stretches.values().stream()
                .filter(stretch -> !stretch.isPending() && !stretch.records().isEmpty())
                .mapToLong(stretch -> waitMillis - (now - stretch.since()) / NANOS_IN_A_MILLI)
                .min()
                .orElse(POLL_MILLIS);
    }

    /** What is to be inserted now; those that a crash left half done go first, and alone. */
    List<Stretch> due() {
        List<Stretch> due = stretches.values().stream().filter(this::isRead).toList();
        if (due.isEmpty() && isTime()) {
            due = stretches.values().stream()
                    .filter(stretch ->
                            !stretch.isPending() && !stretch.records().isEmpty())
                    .toList();
        }
        return due;
    }

    /** Whether all of one that was half done is here again. */
    private boolean isRead(Stretch stretch) {
        return stretch.isPending() && consumer.position(stretch.partition()) >= stretch.until();
    }

    private boolean isTime() {
        long bytes = stretches.values().stream().mapToLong(Stretch::bytes).sum();
        return bytes >= mostBytes
                || left() <= 0
                || stretches.values().stream()
                        .anyMatch(stretch -> stretch.records().size() >= ROWS);
    }

    /** They are in the table: the next records follow. */
    void done(List<Stretch> due) {
        Map<TopicPartition, OffsetAndMetadata> places = new HashMap<>();
        for (Stretch stretch : due) {
            boolean again = stretch.isPending();
            stretch.done();
            if (again) {
                consumer.seek(stretch.partition(), stretch.from());
            }
            places.put(stretch.partition(), new OffsetAndMetadata(stretch.from()));
        }
        // Nothing depends on it, and the pipe may not be allowed to.
        consumer.commitAsync(places, (_, _) -> {});
    }

    /** What came over the network from the brokers since it was asked last. */
    long received() {
        long now = consumer.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("incoming-byte-total")
                        && metric.getKey().group().equals("consumer-metrics"))
                .mapToLong(metric -> ((Number) metric.getValue().metricValue()).longValue())
                .sum();
        long more = now - received;
        received = now;
        return more;
    }

    /** How many records are still to be read, and how many wait here. */
    long lag() {
        return stretches.values().stream()
                .mapToLong(stretch -> consumer.currentLag(stretch.partition()).orElse(0L)
                        + stretch.records().size())
                .sum();
    }
}
