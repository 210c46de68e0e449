package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.ErrorTable;
import io.pilothouse.pipes.worker.outside.ErrorTable.Unread;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.Yield;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Inserts stretches of partitions: they are written in the ledger before and ticked off after, each is one insert of one
 * block, and its token follows from its range. For one thread.
 */
final class KafkaLoad {
    private final Link link;
    private final Destination destination;
    private final RecordReading reading;
    private final RecordLines lines;
    private final ErrorTable errors;
    private @Nullable String wrong;

    KafkaLoad(Link link, Destination destination, RecordReading reading) {
        this.link = link;
        this.destination = destination;
        this.reading = reading;
        this.lines = new RecordLines(destination.target().structure());
        this.errors = new ErrorTable(destination);
    }

    /** A sentence about the records that could not be read last; empty if all could. */
    String wrong() {
        return wrong == null ? "" : wrong;
    }

    /** Inserts them all, one after another. */
    void load(List<Stretch> stretches) throws Trouble, InterruptedException {
        List<Span> spans = stretches.stream().map(Stretch::span).toList();
        ask(About.CLAIM, spans);
        try (Destination.Use _ = destination.use()) {
            for (Stretch stretch : stretches) {
                insert(stretch);
            }
        }
        ask(About.DONE, spans);
    }

    private void ask(About about, List<Span> spans) throws Yield, InterruptedException {
        Link.Reply reply = link.ask(about, Span.tree(spans));
        if (reply.refusal().isPresent()) {
            throw new Yield(reply.refusal().get());
        }
    }

    private void insert(Stretch stretch) throws Trouble, InterruptedException {
        Map<Long, String> bad = new HashMap<>();
        List<ConsumerRecord<byte[], byte[]>> good = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : stretch.records()) {
            if (!RecordLines.isObject(record.value())) {
                bad.put(record.offset(), "The message is not a JSON object.");
            } else if (lines.has(record)) {
                good.add(record);
            }
        }
        try {
            send(stretch, good);
        } catch (BadData _) {
            bad.putAll(new BadRecords(destination, reading, lines).find(good));
            good.removeIf(record -> bad.containsKey(record.offset()));
            try {
                send(stretch, good);
            } catch (BadData reason) {
                // Each can be read and all together cannot: the table itself is against it.
                throw new Owner("The database refuses " + stretch.token() + ": " + reason.sentence());
            }
        }
        if (!bad.isEmpty()) {
            keep(stretch, bad);
        }
    }

    private void send(Stretch stretch, List<ConsumerRecord<byte[], byte[]>> records)
            throws Trouble, InterruptedException {
        if (records.isEmpty()) {
            return;
        }
        Destination.Written written = destination.insert(
                reading.insert(), reading.settings(), stretch.token(), out -> BadRecords.write(records, lines, out));
        link.count(
                new Amounts(records.size(), stretch.bytes(), written.rows(), written.bytes(), 0, 0),
                Math.max(0, System.currentTimeMillis() - records.getFirst().timestamp()));
    }

    private void keep(Stretch stretch, Map<Long, String> bad) throws Trouble, InterruptedException {
        String part = Stretch.part(stretch.partition());
        List<Unread> unread = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : stretch.records()) {
            String reason = bad.get(record.offset());
            if (reason != null) {
                unread.add(new Unread(part + ":" + record.offset(), reason, record.value()));
            }
        }
        errors.keep(stretch.token(), unread);
        link.count(new Amounts(0, 0, 0, 0, unread.size(), 0), -1);
        wrong = unread.size() + " records of " + part + " cannot be read: "
                + unread.getFirst().reason();
    }
}
