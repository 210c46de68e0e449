package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The last records of some topics. It joins no group and commits nothing, so nobody notices it. */
public final class KafkaSample {
    private static final int MAX_RECORDS = 200;
    private static final int MAX_BYTES = 1 << 20;
    private static final int ANSWERS_WITHIN_MILLIS = 8_000;
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration CLOSES_WITHIN = Duration.ofSeconds(1);

    private final Link link;
    private final Assignment assignment;
    private final Clock clock;

    public KafkaSample(Link link, Assignment assignment, Clock clock) {
        this.link = link;
        this.assignment = assignment;
        this.clock = clock;
    }

    /** The messages; tombstones are left out. */
    public List<byte[]> read() throws Trouble, InterruptedException {
        Map<String, Object> login = KafkaLogin.of(link, assignment, clock);
        // Somebody waits for the answer.
        login.put("default.api.timeout.ms", ANSWERS_WITHIN_MILLIS);
        login.put("request.timeout.ms", ANSWERS_WITHIN_MILLIS);
        return KafkaVisit.with(login, CLOSES_WITHIN, this::read);
    }

    private List<byte[]> read(Consumer<byte[], byte[]> consumer) throws Owner {
        List<TopicPartition> partitions = new ArrayList<>();
        for (String topic : new KafkaPlaces(link, assignment, consumer).topics()) {
            int count = consumer.partitionsFor(topic).size();
            if (count == 0) {
                throw new Owner("The brokers have no topic " + topic + ".");
            }
            for (int number = 0; number < count; number++) {
                partitions.add(new TopicPartition(topic, number));
            }
        }
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        partitions.removeIf(partition -> ends.getOrDefault(partition, 0L) <= begins.getOrDefault(partition, 0L));
        consumer.assign(partitions);
        int share = Math.max(1, MAX_RECORDS / Math.max(1, partitions.size()));
        partitions.forEach(partition -> consumer.seek(
                partition, Math.max(begins.getOrDefault(partition, 0L), ends.getOrDefault(partition, 0L) - share)));
        return partitions.isEmpty() ? List.of() : upTo(consumer, ends);
    }

    /** What the end hides, such as the marks of transactions, is passed as any record is. */
    private static List<byte[]> upTo(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        List<byte[]> messages = new ArrayList<>();
        long bytes = 0;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ANSWERS_WITHIN_MILLIS);
        while (bytes < MAX_BYTES && messages.size() < MAX_RECORDS && System.nanoTime() < deadline) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                byte[] message = record.value();
                if (message != null) {
                    messages.add(message);
                    bytes += message.length;
                }
            }
            if (consumer.assignment().stream()
                    .allMatch(partition -> consumer.position(partition) >= ends.getOrDefault(partition, 0L))) {
                break;
            }
        }
        return messages;
    }
}
