package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Report.Tally;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.formats.MessageFormat;
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
    private final MessageFormat format;
    private final RecordLines lines;
    private final ErrorTable errors;
    private @Nullable String wrong;

    /** A stretch with what could be read of it, and why the rest could not, by offsets. */
    private record Batch(Stretch stretch, List<Row> rows, Map<Long, String> bad) {}

    KafkaLoad(Link link, Destination destination, RecordReading reading, MessageFormat format) {
        this.link = link;
        this.destination = destination;
        this.reading = reading;
        this.format = format;
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
        // Before the database is woken: a schema registry may be away.
        List<Batch> batches = read(stretches);
        ask(About.CLAIM, spans);
        try (Destination.Use _ = destination.use()) {
            for (Batch batch : batches) {
                insert(batch.stretch(), batch.rows(), batch.bad());
                link.count(new Amounts(batch.stretch().records().size(), 0, 0, 0, 0, 0), -1);
                link.count(Tally.FETCHED_BYTES, batch.stretch().content());
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

    private List<Batch> read(List<Stretch> stretches) throws Trouble, InterruptedException {
        format.begin();
        List<Batch> batches = new ArrayList<>();
        for (Stretch stretch : stretches) {
            Batch batch = new Batch(stretch, new ArrayList<>(), new HashMap<>());
            for (ConsumerRecord<byte[], byte[]> record : stretch.records()) {
                byte[] message = record.value();
                try {
                    if (lines.has(record)) {
                        batch.rows().add(new Row(record, message == null ? null : format.row(message)));
                    }
                } catch (BadData reason) {
                    batch.bad().put(record.offset(), reason.sentence());
                }
            }
            batches.add(batch);
        }
        return batches;
    }

    private void insert(Stretch stretch, List<Row> good, Map<Long, String> bad) throws Trouble, InterruptedException {
        try {
            send(stretch, good);
        } catch (BadData _) {
            bad.putAll(new BadRecords(destination, reading, lines).find(good));
            good.removeIf(row -> bad.containsKey(row.record().offset()));
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

    private void send(Stretch stretch, List<Row> records) throws Trouble, InterruptedException {
        if (records.isEmpty()) {
            return;
        }
        Destination.Written written = destination.insert(
                reading.insert(), reading.settings(), stretch.token(), out -> BadRecords.write(records, lines, out));
        link.count(
                new Amounts(0, 0, written.rows(), written.bytes(), 0, 0),
                Math.max(
                        0,
                        System.currentTimeMillis() - records.getFirst().record().timestamp()));
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
