package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.pipes.wire.Span;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The records of one partition that wait to be inserted together. One that a crash left half done ends where it ended
 * then, because it has to be inserted under the same token. For one thread.
 */
final class Stretch {
    /** What the heap holds of a record beside its content. */
    private static final int BYTES_OF_A_RECORD = 250;

    private static final long OPEN = Long.MAX_VALUE;

    private final TopicPartition partition;
    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    private long from;
    private long until;
    private long bytes;
    private long content;
    private long since;

    Stretch(TopicPartition partition, Span span) {
        this.partition = partition;
        this.from = span.from();
        this.until = span.isPending() ? span.to() : OPEN;
    }

    TopicPartition partition() {
        return partition;
    }

    /** How the ledger names a partition. */
    static String part(TopicPartition partition) {
        return partition.topic() + ":" + partition.partition();
    }

    long from() {
        return from;
    }

    List<ConsumerRecord<byte[], byte[]>> records() {
        return records;
    }

    long bytes() {
        return bytes;
    }

    /** What its records have come to, without what the heap holds beside it. */
    long content() {
        return content;
    }

    /** Whether it was half done, so that its end is known. */
    boolean isPending() {
        return until != OPEN;
    }

    long until() {
        return until;
    }

    /** Since when its first record waits, by {@link System#nanoTime}. */
    long since() {
        return since;
    }

    /** Takes a record, unless it lies beyond the end. */
    void add(ConsumerRecord<byte[], byte[]> record) {
        if (record.offset() < from || record.offset() >= until) {
            return;
        }
        if (records.isEmpty()) {
            since = System.nanoTime();
        }
        records.add(record);
        long size = (long) Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
        content += size;
        bytes += BYTES_OF_A_RECORD + size;
    }

    /** The range that is claimed for it: without gaps, although offsets may have some. */
    Span span() {
        long to = isPending() ? until : records.getLast().offset() + 1;
        return new Span(part(partition), from, to, "");
    }

    String token() {
        Span span = span();
        return span.part() + ":" + span.from() + "-" + span.to();
    }

    /** The table has it; the next one begins where it ended. */
    void done() {
        from = span().to();
        until = OPEN;
        bytes = 0;
        content = 0;
        records.clear();
    }
}
