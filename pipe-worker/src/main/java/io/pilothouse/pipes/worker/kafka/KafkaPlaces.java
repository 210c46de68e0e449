package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.Yield;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/**
 * Which partitions a worker reads, and from where. The ledger decides; what the pipe says of offsets counts only for
 * partitions that were there when the topic was first looked at, and one that is added later is read from its beginning.
 */
final class KafkaPlaces {
    private final Link link;
    private final Assignment assignment;
    private final Consumer<byte[], byte[]> consumer;

    KafkaPlaces(Link link, Assignment assignment, Consumer<byte[], byte[]> consumer) {
        this.link = link;
        this.assignment = assignment;
        this.consumer = consumer;
    }

    List<String> topics() {
        return Arrays.stream(assignment.source().text("topics").orElse("").split(",", -1))
                .map(String::strip)
                .filter(topic -> !topic.isEmpty())
                .distinct()
                .toList();
    }

    /** The partitions of this worker that are not among the known ones, each with how far it was read. */
    Map<TopicPartition, Span> find(Set<TopicPartition> known) throws Trouble, InterruptedException {
        Map<TopicPartition, Span> found = new LinkedHashMap<>();
        for (String topic : topics()) {
            int partitions = consumer.partitionsFor(topic).size();
            if (partitions == 0) {
                throw new Owner("The brokers have no topic " + topic + ".");
            }
            List<TopicPartition> mine = new ArrayList<>();
            for (int number = 0; number < partitions; number++) {
                TopicPartition partition = new TopicPartition(topic, number);
                if (isMine(partition) && !known.contains(partition)) {
                    mine.add(partition);
                }
            }
            if (!mine.isEmpty()) {
                found.putAll(begun(topic, partitions, mine));
            }
        }
        requireStillThere(found);
        return found;
    }

    private boolean isMine(TopicPartition partition) {
        Assignment.Share share = assignment.share();
        return Math.floorMod(partition.topic().hashCode() + partition.partition(), share.workers()) == share.index();
    }

    private Map<TopicPartition, Span> begun(String topic, int partitions, List<TopicPartition> mine)
            throws Trouble, InterruptedException {
        begin(List.of(new Span(topic, partitions, partitions, "")));
        List<String> parts = new ArrayList<>(List.of(topic));
        mine.forEach(partition -> parts.add(PartitionStretch.part(partition)));
        Map<String, Span> ledger = ranges(parts);
        Span whole = ledger.get(topic);
        long first = whole == null ? partitions : whole.from();
        Set<TopicPartition> missing = new HashSet<>();
        mine.stream()
                .filter(partition -> !ledger.containsKey(PartitionStretch.part(partition)))
                .forEach(missing::add);
        if (!missing.isEmpty()) {
            begin(starts(missing, first).entrySet().stream()
                    .map(start ->
                            new Span(PartitionStretch.part(start.getKey()), start.getValue(), start.getValue(), ""))
                    .toList());
            ledger.putAll(ranges(parts));
        }
        Map<TopicPartition, Span> begun = new LinkedHashMap<>();
        for (TopicPartition partition : mine) {
            Span span = ledger.get(PartitionStretch.part(partition));
            if (span == null) {
                throw new Yield("The ledger has forgotten " + PartitionStretch.part(partition) + ".");
            }
            begun.put(partition, span);
        }
        return begun;
    }

    private void begin(List<Span> spans) throws Yield, InterruptedException {
        if (link.ask(About.BEGIN, Span.tree(spans)).refusal().isPresent()) {
            throw new Yield("Another worker reads this pipe.");
        }
    }

    private Map<String, Span> ranges(List<String> parts) throws Yield, InterruptedException {
        return link.ranges(parts).orElseThrow(() -> new Yield("The pipe is being changed."));
    }

    /** Where partitions begin that the ledger does not have. */
    private Map<TopicPartition, Long> starts(Set<TopicPartition> partitions, long first) {
        Set<TopicPartition> later = new HashSet<>(partitions);
        later.removeIf(partition -> partition.partition() < first);
        Set<TopicPartition> chosen = new HashSet<>(partitions);
        chosen.removeAll(later);
        Map<TopicPartition, Long> starts = new HashMap<>(consumer.beginningOffsets(later));
        Tree.Members offset = assignment.source().members("offset").orElse(Tree.Members.NONE);
        starts.putAll(
                switch (offset.text("strategy").orElse("from_beginning")) {
                    case "from_latest" -> consumer.endOffsets(chosen);
                    case "from_timestamp" -> at(offset.text("timestamp").orElse(""), chosen);
                    default -> consumer.beginningOffsets(chosen);
                });
        return starts;
    }

    /** The first record of this minute or later; the end where there is none yet. */
    private Map<TopicPartition, Long> at(String minute, Set<TopicPartition> partitions) {
        long millis = LocalDateTime.parse(minute).toInstant(ZoneOffset.UTC).toEpochMilli();
        Map<TopicPartition, Long> asked = new HashMap<>();
        partitions.forEach(partition -> asked.put(partition, millis));
        Map<TopicPartition, Long> starts = new HashMap<>(consumer.endOffsets(partitions));
        consumer.offsetsForTimes(asked).forEach((partition, found) -> {
            OffsetAndTimestamp at = found;
            if (at != null) {
                starts.put(partition, at.offset());
            }
        });
        return starts;
    }

    /** A partition that ends before the place that was read last is another one under the same name. */
    private void requireStillThere(Map<TopicPartition, Span> found) throws Owner {
        if (assignment.settings().flag("kafka_read_committed")) {
            // To such a consumer a topic ends at its first open transaction.
            return;
        }
        Map<TopicPartition, Long> ends = consumer.endOffsets(found.keySet());
        for (Map.Entry<TopicPartition, Span> place : found.entrySet()) {
            long end = ends.getOrDefault(place.getKey(), 0L);
            if (end < place.getValue().to()) {
                throw new Owner("The partition " + PartitionStretch.part(place.getKey()) + " ends at " + end
                        + ", and was read up to " + place.getValue().to()
                        + ": the topic was made again, or lost records. Another pipe reads it as it is now.");
            }
        }
    }
}
