package io.pilothouse.pipes.worker.records;

import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the records that the database cannot read: batches are tried against a table that keeps nothing, and a batch
 * that fails is halved until single records are left. For one thread.
 */
final class BadRecords {
    private static final int RECORDS_AT_ONCE = 1000;

    private final Destination destination;
    private final RecordReading reading;
    private final RecordLines lines;
    private final Map<StreamRecord, String> reasons = new HashMap<>();

    BadRecords(Destination destination, RecordReading reading, RecordLines lines) {
        this.destination = destination;
        this.reading = reading;
        this.lines = lines;
    }

    /** The reasons, each by its record. */
    Map<StreamRecord, String> find(List<Row> records) throws Trouble, InterruptedException {
        for (int from = 0; from < records.size(); from += RECORDS_AT_ONCE) {
            tryAll(records.subList(from, Math.min(records.size(), from + RECORDS_AT_ONCE)));
        }
        return reasons;
    }

    private void tryAll(List<Row> records) throws Trouble, InterruptedException {
        try {
            destination.insert(reading.trial(), reading.settings(), "", out -> write(records, lines, out));
        } catch (BadData reason) {
            if (records.size() == 1) {
                reasons.put(records.getFirst().record(), reason.sentence());
            } else {
                int half = records.size() / 2;
                tryAll(records.subList(0, half));
                tryAll(records.subList(half, records.size()));
            }
        }
    }

    static void write(List<Row> records, RecordLines lines, OutputStream out) throws IOException {
        for (Row record : records) {
            out.write(lines.line(record));
            out.write('\n');
        }
    }
}
