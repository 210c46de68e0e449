package io.pilothouse.pipes.worker.records;

import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Halving;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the records that the database cannot read: batches are tried against a table that keeps nothing. For one
 * thread.
 */
final class BadRecords {
    static final int RECORDS_AT_ONCE = 1000;

    private final Destination destination;
    private final RecordReading reading;
    private final RecordLines lines;

    BadRecords(Destination destination, RecordReading reading, RecordLines lines) {
        this.destination = destination;
        this.reading = reading;
        this.lines = lines;
    }

    /** The reasons, each by its record. */
    Map<StreamRecord, String> find(List<Row> records) throws Trouble, InterruptedException {
        Map<StreamRecord, String> reasons = new HashMap<>();
        for (int from = 0; from < records.size(); from += RECORDS_AT_ONCE) {
            List<Row> some = records.subList(from, Math.min(records.size(), from + RECORDS_AT_ONCE));
            Halving.among(some, this::tryAll)
                    .forEach(bad -> reasons.put(bad.piece().record(), bad.reason()));
        }
        return reasons;
    }

    private void tryAll(List<Row> records) throws Trouble, InterruptedException {
        destination.insert(reading.trial(), reading.settings(), "", out -> write(records, lines, out));
    }

    static void write(List<Row> records, RecordLines lines, OutputStream out) throws IOException {
        for (Row record : records) {
            out.write(lines.line(record));
            out.write('\n');
        }
    }
}
