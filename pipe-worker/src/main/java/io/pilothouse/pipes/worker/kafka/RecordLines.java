package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.pipes.wire.RecordField;
import io.pilothouse.pipes.wire.Sql;
import io.pilothouse.pipes.worker.formats.JsonBytes;
import io.pilothouse.pipes.worker.formats.JsonMessages;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

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
    boolean has(ConsumerRecord<byte[], byte[]> record) {
        return record.value() != null || !fields.isEmpty();
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
            value(out, field, row.record());
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

    private static void value(JsonBytes out, RecordField field, ConsumerRecord<byte[], byte[]> record) {
        switch (field) {
            case KEY -> out.text(record.key());
            case TIMESTAMP -> out.text(Instant.ofEpochMilli(record.timestamp()).toString());
            case PARTITION -> out.plain(Integer.toString(record.partition()));
            case OFFSET -> out.plain(Long.toString(record.offset()));
            case TOPIC -> out.text(record.topic());
            case HEADER_KEYS ->
                texts(
                        out,
                        headers(record).stream()
                                .map(header -> header.key().getBytes(StandardCharsets.UTF_8))
                                .toList());
            case HEADER_VALUES ->
                texts(
                        out,
                        headers(record).stream()
                                .map(header -> header.value() == null ? new byte[0] : header.value())
                                .toList());
            case RAW_MESSAGE -> out.text(record.value());
        }
    }

    private static List<Header> headers(ConsumerRecord<byte[], byte[]> record) {
        List<Header> headers = new ArrayList<>();
        record.headers().forEach(headers::add);
        return headers;
    }

    private static void texts(JsonBytes out, List<byte[]> texts) {
        out.write('[');
        for (int i = 0; i < texts.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            out.text(texts.get(i));
        }
        out.write(']');
    }
}
