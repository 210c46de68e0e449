package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.records.Stretch;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The records of one partition that wait to be inserted together. For one thread. */
final class PartitionStretch extends Stretch {
    /** What the heap holds of a record beside its content. */
    private static final int BYTES_OF_A_RECORD = 250;

    private static final long OPEN = Long.MAX_VALUE;

    private final TopicPartition partition;
    /** How often the pipe was sent elsewhere before this was read; empty if never. */
    private final String seeks;

    private final long from;
    private final long until;
    private long next;

    PartitionStretch(TopicPartition partition, Span span) {
        this.partition = partition;
        this.seeks = span.identity();
        this.from = span.from();
        this.next = span.from();
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

    @Override
    public boolean isPending() {
        return until != OPEN;
    }

    long until() {
        return until;
    }

    /** Takes a record, unless it lies beyond the end. */
    void add(ConsumerRecord<byte[], byte[]> record) {
        if (record.offset() < from || record.offset() >= until) {
            return;
        }
        next = record.offset() + 1;
        take(
                new KafkaRecord(record),
                (long) Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize()),
                BYTES_OF_A_RECORD);
    }

    /** Without gaps, although offsets may have some. */
    @Override
    public Span span() {
        return new Span(part(partition), from, isPending() ? until : next, "");
    }

    @Override
    public String token() {
        Span span = span();
        return span.part() + ":" + span.from() + "-" + span.to() + seeks;
    }

    /** The one that begins where this one ends. */
    PartitionStretch following() {
        long end = span().to();
        return new PartitionStretch(partition, new Span(part(partition), end, end, seeks));
    }
}
