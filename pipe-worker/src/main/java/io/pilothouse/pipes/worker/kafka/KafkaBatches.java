package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.records.BatchLimits;
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

/** Gathers records by their partitions until it is time to insert them. For one thread. */
final class KafkaBatches {
    private final Consumer<byte[], byte[]> consumer;
    private final BatchLimits limits;
    private final Map<TopicPartition, PartitionStretch> stretches = new LinkedHashMap<>();
    private long received;

    KafkaBatches(Assignment assignment, Consumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
        this.limits = new BatchLimits(assignment);
    }

    Set<TopicPartition> partitions() {
        return Set.copyOf(stretches.keySet());
    }

    /** Reads these partitions too, each from where the ledger has it. */
    void add(Map<TopicPartition, Span> found) {
        if (found.isEmpty()) {
            return;
        }
        found.forEach((partition, span) -> stretches.put(partition, new PartitionStretch(partition, span)));
        consumer.assign(stretches.keySet());
        // What the topic itself has let go of cannot be read any more.
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(found.keySet());
        found.forEach((partition, span) ->
                consumer.seek(partition, Math.max(span.from(), begins.getOrDefault(partition, 0L))));
    }

    /** Takes what there is, or waits for it this long at most. */
    void poll(long millis) {
        for (ConsumerRecord<byte[], byte[]> record :
                consumer.poll(Duration.ofMillis(Math.clamp(limits.left(stretches.values(), millis), 1, millis)))) {
            stretch(record).add(record);
        }
    }

    private PartitionStretch stretch(ConsumerRecord<byte[], byte[]> record) {
        PartitionStretch stretch = stretches.get(new TopicPartition(record.topic(), record.partition()));
        if (stretch == null) {
            throw new IllegalStateException("a record of a partition that was not asked for");
        }
        return stretch;
    }

    /** What is to be inserted now; those that a crash left half done go first, and alone. */
    List<PartitionStretch> due() {
        return limits.due(stretches.values(), this::isRead);
    }

    /** Whether all of one that was half done is here again. */
    private boolean isRead(PartitionStretch stretch) {
        return consumer.position(stretch.partition()) >= stretch.until();
    }

    /** They are being inserted: the records that follow them are read from now on. */
    void handOver(List<PartitionStretch> due) {
        for (PartitionStretch stretch : due) {
            PartitionStretch following = stretch.following();
            stretches.put(stretch.partition(), following);
            if (stretch.isPending()) {
                consumer.seek(stretch.partition(), following.from());
            }
        }
    }

    /** They are in the table. */
    void done(List<PartitionStretch> inserted) {
        Map<TopicPartition, OffsetAndMetadata> places = new HashMap<>();
        inserted.forEach(stretch -> places.put(
                stretch.partition(), new OffsetAndMetadata(stretch.span().to())));
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

    /** The same for each partition of which the brokers have said how long it is. */
    Map<String, Long> lags() {
        Map<String, Long> lags = new HashMap<>();
        for (PartitionStretch stretch : stretches.values()) {
            consumer.currentLag(stretch.partition())
                    .ifPresent(left -> lags.put(
                            PartitionStretch.part(stretch.partition()),
                            left + stretch.records().size()));
        }
        return lags;
    }

    /** How many records are still to be read, and how many wait here. */
    long lag() {
        return stretches.values().stream()
                .mapToLong(stretch -> consumer.currentLag(stretch.partition()).orElse(0L)
                        + stretch.records().size())
                .sum();
    }
}
