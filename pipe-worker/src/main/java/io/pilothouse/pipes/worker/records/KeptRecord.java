package io.pilothouse.pipes.worker.records;

import io.pilothouse.pipes.wire.ErrorPortion.Kept;
import io.pilothouse.pipes.wire.RecordField;
import io.pilothouse.pipes.worker.formats.JsonBytes;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A record that could not be read and was kept, as it was then. */
record KeptRecord(Kept kept) implements StreamRecord {
    /** What of a record is kept beside its message; the message itself is named only where there is none. */
    static Map<String, byte[]> fields(StreamRecord record) {
        Map<String, byte[]> fields = new LinkedHashMap<>();
        for (RecordField field : record.fields()) {
            if (field != RecordField.RAW_MESSAGE || record.message() == null) {
                JsonBytes value = new JsonBytes(64);
                record.write(field, value);
                fields.put(field.source(), value.toByteArray());
            }
        }
        return fields;
    }

    @Override
    public byte @Nullable [] message() {
        return kept.field(RecordField.RAW_MESSAGE.source()).isPresent() ? null : kept.raw();
    }

    /** How old a record is that is read again says nothing about the pipe. */
    @Override
    public long millis() {
        return System.currentTimeMillis();
    }

    @Override
    public String place() {
        return kept.source();
    }

    @Override
    public List<RecordField> fields() {
        return Arrays.stream(RecordField.values())
                .filter(field -> kept.field(field.source()).isPresent())
                .toList();
    }

    /** One that was not kept is null, and so the default of its column. */
    @Override
    public void write(RecordField field, JsonBytes out) {
        if (field == RecordField.RAW_MESSAGE) {
            out.text(message());
        } else {
            kept.field(field.source()).ifPresentOrElse(out::writeBytes, () -> out.plain("null"));
        }
    }
}
