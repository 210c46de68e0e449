package io.pilothouse.pipes.worker.records;

import io.pilothouse.pipes.wire.RecordField;
import io.pilothouse.pipes.wire.Sql;
import io.pilothouse.pipes.worker.formats.JsonBytes;
import io.pilothouse.pipes.worker.formats.JsonMessages;
import java.util.Arrays;
import java.util.List;

/**
 * Writes records as lines of JSON: the object that the message is, and before its first field those that the record has
 * beside its content, where the pipe puts them into columns; pure.
 */
final class RecordLines {
    private final List<RecordField> fields;

    /** {@code structure} is what the database is to read, and so names the fields that are wanted. */
    RecordLines(String structure) {
        fields = Arrays.stream(RecordField.values())
                .filter(field -> structure.contains(Sql.name(field.given()) + " "))
                .toList();
    }

    /** Whether a record has anything for the table: one without a message has its key and headers at most. */
    boolean has(StreamRecord record) {
        return record.message() != null || !fields.isEmpty();
    }

    byte[] line(Row row) {
        byte[] object = row.object();
        if (fields.isEmpty() && object != null) {
            return object;
        }
        JsonBytes out = new JsonBytes((object == null ? 0 : object.length) + 64);
        out.write('{');
        for (RecordField field : fields) {
            out.write(field == fields.getFirst() ? ' ' : ',');
            out.text(field.given());
            out.write(':');
            row.record().write(field, out);
        }
        if (object == null) {
            out.write('}');
        } else {
            int inside = JsonMessages.first(object, 0) + 1;
            out.write(object[JsonMessages.first(object, inside)] == '}' ? ' ' : ',');
            out.write(object, inside, object.length - inside);
        }
        return out.toByteArray();
    }
}
