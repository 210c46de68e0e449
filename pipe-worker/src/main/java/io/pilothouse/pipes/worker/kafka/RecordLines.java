package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.pipes.wire.RecordField;
import io.pilothouse.pipes.wire.Sql;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as lines of JSON: the bytes of the message as they came, and before its first field those that the
 * record has beside its content, where the pipe puts them into columns; pure.
 */
final class RecordLines {
    private static final int SPACE = 0x20;
    private static final byte[] NULL = bytes("null");

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

    /** Whether the message begins and ends as an object does; what is between is the database's to read. */
    static boolean isObject(byte @Nullable [] message) {
        if (message == null) {
            return true;
        }
        if (message.length == 0) {
            return false;
        }
        int first = first(message, 0);
        int last = message.length - 1;
        while (last > first && isSpace(message[last])) {
            last--;
        }
        return first < last && message[first] == '{' && message[last] == '}';
    }

    byte[] line(ConsumerRecord<byte[], byte[]> record) {
        byte[] message = record.value();
        if (fields.isEmpty() && message != null) {
            return message;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream((message == null ? 0 : message.length) + 64);
        out.write('{');
        for (RecordField field : fields) {
            out.write(field == fields.getFirst() ? ' ' : ',');
            text(out, bytes(field.given()));
            out.write(':');
            value(out, field, record);
        }
        if (message == null) {
            out.write('}');
        } else {
            int inside = first(message, 0) + 1;
            out.write(message[first(message, inside)] == '}' ? ' ' : ',');
            out.write(message, inside, message.length - inside);
        }
        return out.toByteArray();
    }

    private static void value(ByteArrayOutputStream out, RecordField field, ConsumerRecord<byte[], byte[]> record) {
        switch (field) {
            case KEY -> text(out, record.key());
            case TIMESTAMP ->
                text(out, bytes(Instant.ofEpochMilli(record.timestamp()).toString()));
            case PARTITION -> out.writeBytes(bytes(Integer.toString(record.partition())));
            case OFFSET -> out.writeBytes(bytes(Long.toString(record.offset())));
            case TOPIC -> text(out, bytes(record.topic()));
            case HEADER_KEYS ->
                texts(
                        out,
                        headers(record).stream()
                                .map(header -> bytes(header.key()))
                                .toList());
            case HEADER_VALUES ->
                texts(
                        out,
                        headers(record).stream()
                                .map(header -> header.value() == null ? new byte[0] : header.value())
                                .toList());
            case RAW_MESSAGE -> text(out, record.value());
        }
    }

    private static List<Header> headers(ConsumerRecord<byte[], byte[]> record) {
        List<Header> headers = new ArrayList<>();
        record.headers().forEach(headers::add);
        return headers;
    }

    private static void texts(ByteArrayOutputStream out, List<byte[]> texts) {
        out.write('[');
        for (int i = 0; i < texts.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            text(out, texts.get(i));
        }
        out.write(']');
    }

    /** Bytes of any encoding pass as they are: the database asks for no particular one. */
    private static void text(ByteArrayOutputStream out, byte @Nullable [] text) {
        if (text == null) {
            out.writeBytes(NULL);
            return;
        }
        out.write('"');
        for (byte one : text) {
            if (one == '"' || one == '\\') {
                out.write('\\');
                out.write(one);
            } else if (one >= 0 && one < SPACE) {
                out.writeBytes(bytes("\\u" + HexFormat.of().toHexDigits((short) one)));
            } else {
                out.write(one);
            }
        }
        out.write('"');
    }

    private static int first(byte[] message, int from) {
        int at = from;
        while (at < message.length - 1 && isSpace(message[at])) {
            at++;
        }
        return at;
    }

    private static boolean isSpace(byte one) {
        return one == ' ' || one == '\n' || one == '\r' || one == '\t';
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
