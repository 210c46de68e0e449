package io.pilothouse.pipes.worker.records;

import io.pilothouse.pipes.wire.RecordField;
import io.pilothouse.pipes.worker.formats.JsonBytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One record of a stream, as it was read. */
public interface StreamRecord {
    /** Its content, as the pipe's format has it. */
    byte @Nullable [] message();

    /** When it was made, in milliseconds since 1970. */
    long millis();

    /** Where it is, for a person: the part of the source and its place there. */
    String place();

    /** Which fields it has beside its content. */
    List<RecordField> fields();

    /** Writes one of those fields that it has beside its content. */
    void write(RecordField field, JsonBytes out);
}
