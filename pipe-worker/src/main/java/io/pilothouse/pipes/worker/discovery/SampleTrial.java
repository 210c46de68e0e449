package io.pilothouse.pipes.worker.discovery;

import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.worker.files.FileSample;
import io.pilothouse.pipes.worker.formats.MessageFormat;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.records.RecordReading;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether the database could make what was looked at into values of a pipe's columns; it keeps nothing. A look that is
 * for no pipe has no columns, and everything fits. For one thread.
 */
final class SampleTrial {
    private final Assignment assignment;
    private final Destination destination;

    SampleTrial(Assignment assignment, Destination destination) {
        this.assignment = assignment;
        this.destination = destination;
    }

    private boolean isForNoPipe() {
        return assignment.target().columns().isEmpty();
    }

    /** An Owner's trouble where one of them would be kept in the error table of the pipe. */
    void of(List<byte[]> messages) throws Trouble, InterruptedException {
        if (isForNoPipe()) {
            return;
        }
        MessageFormat format = MessageFormat.of(assignment);
        format.begin();
        List<byte[]> objects = new ArrayList<>();
        for (byte[] message : messages) {
            try {
                objects.addAll(format.rows(message));
            } catch (BadData bad) {
                throw new Owner("One of the " + messages.size() + " records that were looked at cannot be read: "
                        + bad.sentence());
            }
        }
        RecordReading reading = new RecordReading(assignment);
        try {
            destination.insert(reading.trial(), reading.settings(), "", out -> {
                for (byte[] object : objects) {
                    out.write(object);
                    out.write('\n');
                }
            });
        } catch (BadData bad) {
            throw new Owner("One of the " + messages.size() + " records that were looked at does not fit the columns: "
                    + bad.sentence());
        }
    }

    /** The same of the first rows of a file. */
    void of(FileSample file) throws Trouble, InterruptedException {
        if (isForNoPipe()) {
            return;
        }
        try {
            destination.insert(file.trial(), file.settingsOfTrial(), "", null);
        } catch (BadData bad) {
            throw new Owner("The file " + file.key() + " does not fit the columns: " + bad.sentence());
        }
    }
}
