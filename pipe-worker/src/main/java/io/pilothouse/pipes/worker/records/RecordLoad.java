package io.pilothouse.pipes.worker.records;

import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Report.Tally;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.formats.MessageFormat;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.ErrorTable;
import io.pilothouse.pipes.worker.outside.ErrorTable.Unread;
import io.pilothouse.pipes.worker.outside.Halving;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Replay;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.Yield;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Inserts stretches of a stream: they are written in the ledger before and ticked off after, each is one insert of one
 * block, and its token follows from its range. For one thread.
 */
public final class RecordLoad {
    /** A table that is against more than these of one stretch is not what the pipe is for. */
    private static final int MAX_REFUSED = 1000;

    /** Of rows, which a few records may inflate to: twice what a batch of records has. */
    private static final int BYTES_A_GIGABYTE = 64 << 20;

    private final Link link;
    private final Assignment assignment;
    private final Destination destination;
    private final RecordReading reading;
    private final MessageFormat format;
    private final RecordLines lines;
    private final ErrorTable errors;
    private final Replay replay;
    private final long mostBytes;
    private @Nullable String wrong;

    /** A stretch with what could be read of it, and why the rest could not, by its records. */
    private record Batch(Stretch stretch, List<Row> rows, Map<StreamRecord, String> bad) {
        boolean hasAnything() {
            return !rows.isEmpty() || !bad.isEmpty();
        }

        long bytes() {
            return rows.stream()
                    .map(Row::object)
                    .mapToLong(object -> object == null ? 0 : object.length)
                    .sum();
        }
    }

    public RecordLoad(Link link, Assignment assignment, Destination destination) throws Owner {
        this.link = link;
        this.assignment = assignment;
        this.destination = destination;
        this.reading = new RecordReading(assignment);
        this.format = MessageFormat.of(assignment);
        this.lines = new RecordLines(destination.target().structure());
        this.errors = new ErrorTable(destination, assignment.pipe());
        this.replay = new Replay(link, assignment, destination);
        this.mostBytes = (long) (BYTES_A_GIGABYTE * assignment.share().memoryGb());
    }

    /** Reads some records again that could not be read before, if the pipe is to. */
    public void replay() throws Trouble, InterruptedException {
        replay.next(portion -> load(List.of(new ReplayStretch(portion, Replay.token(assignment, portion)))));
    }

    /** Whether there may be more of that. */
    public boolean isReplaying() {
        return replay.isOpen();
    }

    /** A sentence about the records that could not be read last; empty if all could. */
    public String wrong() {
        return wrong == null ? "" : wrong;
    }

    /** Inserts them all, one after another; those whose rows are large one by one. */
    public void load(List<? extends Stretch> stretches) throws Trouble, InterruptedException {
        format.begin();
        List<Batch> read = new ArrayList<>();
        long bytes = 0;
        for (Stretch stretch : stretches) {
            Batch batch = read(stretch);
            read.add(batch);
            bytes += batch.bytes();
            if (bytes > mostBytes) {
                insertClaimed(read);
                read = new ArrayList<>();
                bytes = 0;
            }
        }
        if (!read.isEmpty()) {
            insertClaimed(read);
        }
    }

    /** They were read before the database is woken: a schema registry may be away. */
    private void insertClaimed(List<Batch> batches) throws Trouble, InterruptedException {
        List<Span> spans = batches.stream().map(batch -> batch.stretch().span()).toList();
        ask(About.CLAIM, spans);
        if (batches.stream().anyMatch(Batch::hasAnything)) {
            insertAll(batches);
        }
        ask(About.DONE, spans);
    }

    private void insertAll(List<Batch> batches) throws Trouble, InterruptedException {
        try (Destination.Use _ = destination.use()) {
            for (Batch batch : batches) {
                insert(batch.stretch(), batch.rows(), batch.bad());
                link.count(new Amounts(batch.stretch().records().size(), 0, 0, 0, 0, 0), -1);
                link.count(Tally.FETCHED_BYTES, batch.stretch().content());
            }
        }
    }

    private void ask(About about, List<Span> spans) throws Yield, InterruptedException {
        Link.Reply reply = link.ask(about, Span.tree(spans));
        if (reply.refusal().isPresent()) {
            throw new Yield(reply.refusal().get());
        }
    }

    private Batch read(Stretch stretch) throws Trouble, InterruptedException {
        Batch batch = new Batch(stretch, new ArrayList<>(), new HashMap<>());
        for (StreamRecord record : stretch.records()) {
            byte[] message = record.message();
            try {
                if (message != null) {
                    format.rows(message).forEach(object -> batch.rows().add(new Row(record, object)));
                } else if (lines.has(record)) {
                    batch.rows().add(new Row(record, null));
                }
            } catch (BadData reason) {
                batch.bad().put(record, reason.sentence());
            }
        }
        return batch;
    }

    private void insert(Stretch stretch, List<Row> good, Map<StreamRecord, String> bad)
            throws Trouble, InterruptedException {
        if (bad.isEmpty() && tryAll(stretch, good)) {
            return;
        }
        bad.putAll(new BadRecords(destination, reading, lines).find(good));
        good.removeIf(row -> bad.containsKey(row.record()));
        // First: after a crash and a mended pipe all of them would be good, and be dropped as a repeated insert.
        keep(stretch, "", bad);
        if (tryAll(stretch, good)) {
            return;
        }
        // Each can be read and all together cannot: the table itself is against some of them, as by a constraint.
        destination.prepareTrial(assignment.target().table());
        Map<StreamRecord, String> refused = refused(
                stretch, good, records -> destination.insert(reading.attempt(), reading.settings(), "", body(records)));
        good.removeIf(row -> refused.containsKey(row.record()));
        keep(stretch, "/refused", refused);
        if (!tryAll(stretch, good)) {
            sendPieces(stretch, good);
        }
    }

    /** A view breaks off, or something of the table that a trial does not show: what can go does, piece by piece. */
    private void sendPieces(Stretch stretch, List<Row> rows) throws Trouble, InterruptedException {
        keep(stretch, "/broken", refused(stretch, rows, records -> sendPart(stretch, records)));
    }

    /** A record goes as a whole or not at all, however many rows it has. */
    private Map<StreamRecord, String> refused(Stretch stretch, List<Row> rows, Halving.Trial<List<Row>> trial)
            throws Trouble, InterruptedException {
        List<List<Row>> records = byRecord(rows);
        Map<StreamRecord, String> refused = new HashMap<>();
        for (int from = 0; from < records.size(); from += BadRecords.RECORDS_AT_ONCE) {
            List<List<Row>> some = records.subList(from, Math.min(records.size(), from + BadRecords.RECORDS_AT_ONCE));
            Halving.among(some, trial)
                    .forEach(bad -> refused.put(bad.piece().getFirst().record(), bad.reason()));
            if (refused.size() > MAX_REFUSED) {
                throw new Owner("The database refuses more than " + MAX_REFUSED + " records of " + stretch.token()
                        + ": " + refused.values().iterator().next());
            }
        }
        return refused;
    }

    /** The rows of one record follow each other; two records may say the same of themselves. */
    @SuppressWarnings("ReferenceEquality")
    private static List<List<Row>> byRecord(List<Row> rows) {
        List<List<Row>> records = new ArrayList<>();
        for (Row row : rows) {
            if (records.isEmpty() || records.getLast().getFirst().record() != row.record()) {
                records.add(new ArrayList<>());
            }
            records.getLast().add(row);
        }
        return records;
    }

    private void sendPart(Stretch stretch, List<List<Row>> records) throws Trouble, InterruptedException {
        String token =
                stretch.token() + "#" + records.getFirst().getFirst().record().place() + ".."
                        + records.getLast().getFirst().record().place();
        send(token, records.stream().flatMap(List::stream).toList());
    }

    private Destination.Body body(List<List<Row>> records) {
        return out -> BadRecords.write(records.stream().flatMap(List::stream).toList(), lines, out);
    }

    /** Whether the table takes them all; none of them otherwise. */
    private boolean tryAll(Stretch stretch, List<Row> records) throws Trouble, InterruptedException {
        try {
            send(stretch.token(), records);
            return true;
        } catch (BadData _) {
            return false;
        }
    }

    private void send(String token, List<Row> records) throws Trouble, InterruptedException {
        if (records.isEmpty()) {
            return;
        }
        Destination.Written written = destination.insert(
                reading.insert(), reading.settings(), token, out -> BadRecords.write(records, lines, out));
        link.count(
                new Amounts(0, 0, written.rows(), written.bytes(), 0, 0),
                Math.max(
                        0,
                        System.currentTimeMillis() - records.getFirst().record().millis()));
    }

    /** The token names them: after a crash and a change of the table they may be others. */
    private void keep(Stretch stretch, String step, Map<StreamRecord, String> bad)
            throws Trouble, InterruptedException {
        if (bad.isEmpty()) {
            return;
        }
        List<Unread> unread = new ArrayList<>();
        for (StreamRecord record : stretch.records()) {
            String reason = bad.get(record);
            if (reason != null) {
                unread.add(new Unread(record.place(), reason, message(record), KeptRecord.fields(record)));
            }
        }
        String places = unread.stream().map(Unread::source).collect(Collectors.joining("\n"));
        errors.keep(
                stretch.token() + step + "#" + UUID.nameUUIDFromBytes(places.getBytes(StandardCharsets.UTF_8)), unread);
        link.count(new Amounts(0, 0, 0, 0, unread.size(), 0), -1);
        wrong = unread.size() + " records of " + stretch.title() + " cannot be read: "
                + unread.getFirst().reason();
    }

    private static byte[] message(StreamRecord record) {
        byte[] message = record.message();
        return message == null ? new byte[0] : message;
    }
}
