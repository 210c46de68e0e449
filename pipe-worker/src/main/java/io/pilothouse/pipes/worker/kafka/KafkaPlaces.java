package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.Yield;
import io.pilothouse.pipes.worker.records.Seeks;
import java.time.Instant;
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
 * partitions that were there when the topic was first looked at, and one that is added later is read from its
 * beginning.
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
        parts.add(Span.SEEK);
        for (TopicPartition partition : mine) {
            parts.add(PartitionStretch.part(partition));
            parts.add(Seeks.line(PartitionStretch.part(partition)));
        }
        Map<String, Span> ledger = ranges(parts);
        Seeks seeks = new Seeks(ledger);
        Span whole = ledger.get(topic);
        long first = whole == null ? partitions : whole.from();
        Set<TopicPartition> missing = new HashSet<>();
        mine.stream()
                .filter(partition -> !ledger.containsKey(PartitionStretch.part(partition)))
                .forEach(missing::add);
        if (!missing.isEmpty()) {
            begin(starts(missing, first, seeks).entrySet().stream()
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
            begun.put(partition, new Span(span.part(), span.from(), span.to(), seeks.count(span.part())));
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
    private Map<TopicPartition, Long> starts(Set<TopicPartition> partitions, long first, Seeks seeks) {
        String all = seeks.place(chosen());
        Map<String, Set<TopicPartition>> byPlace = new HashMap<>();
        for (TopicPartition partition : partitions) {
            String usual = partition.partition() < first ? all : Seeks.BEGINNING;
            String place = seeks.placeOf(PartitionStretch.part(partition)).orElse(usual);
            byPlace.computeIfAbsent(place, _ -> new HashSet<>()).add(partition);
        }
        Map<TopicPartition, Long> starts = new HashMap<>();
        byPlace.forEach((place, at) -> starts.putAll(
                switch (place) {
                    case Seeks.BEGINNING -> consumer.beginningOffsets(at);
                    case Seeks.END -> consumer.endOffsets(at);
                    default -> at(Instant.parse(place), at);
                }));
        return starts;
    }

    /** Where the pipe begins by its own choice. */
    private String chosen() {
        Tree.Members offset = assignment.source().members("offset").orElse(Tree.Members.NONE);
        return switch (offset.text("strategy").orElse("from_beginning")) {
            case "from_latest" -> Seeks.END;
            case "from_timestamp" -> Seeks.minute(offset.text("timestamp").orElse(""));
            default -> Seeks.BEGINNING;
        };
    }

    /** The first record of this moment or later; the end where there is none yet. */
    private Map<TopicPartition, Long> at(Instant moment, Set<TopicPartition> partitions) {
        long millis = moment.toEpochMilli();
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
                if (!place.getValue().identity().isEmpty()) {
                    throw new Owner("The partition " + PartitionStretch.part(place.getKey()) + " ends at " + end
                            + ", and the pipe was to go on at "
                            + place.getValue().to()
                            + ": it was sent too far, or the topic was made again. Seek to another place.");
                }
                throw new Owner("The partition " + PartitionStretch.part(place.getKey()) + " ends at " + end
                        + ", and was read up to " + place.getValue().to()
                        + ": the topic was made again, or lost records. Another pipe reads it as it is now.");
            }
        }
    }
}
