package io.pilothouse.pipes.worker.formats;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;

/**
 * One value of Avro as JSON, straight from its bytes. What a message claims to hold is believed only as far as its own
 * length: neither a text nor a list can be longer. For one thread.
 */
final class AvroJson {
    private static final int MAX_DEPTH = 100;
    private static final int MAX_SCALE = 1000;
    private static final int UUID_BYTES = 16;
    private static final long MILLIS = 1_000;
    private static final long MICROS = 1_000_000;
    private static final long NANOS = 1_000_000_000;

    private final BinaryDecoder in;
    private final JsonBytes out;
    private long itemsLeft;
    private boolean counted;
    private int depth;

    AvroJson(BinaryDecoder in, JsonBytes out, int length) {
        this.in = in;
        this.out = out;
        this.itemsLeft = length;
    }

    /** Writes a field's value; whether it is not null. {@code ofNumber} asks for the number behind a date or a time. */
    boolean field(Schema schema, boolean ofNumber) throws IOException {
        counted = ofNumber;
        return value(schema);
    }

    private boolean value(Schema schema) throws IOException {
        depth++;
        if (depth > MAX_DEPTH) {
            throw new IOException("deeper than " + MAX_DEPTH);
        }
        boolean there = true;
        switch (schema.getType()) {
            case NULL -> {
                out.plain("null");
                there = false;
            }
            case UNION -> there = value(schema.getTypes().get(in.readIndex()));
            case RECORD -> record(schema);
            case ARRAY -> array(schema.getElementType());
            case MAP -> map(schema.getValueType());
            case ENUM -> out.text(schema.getEnumSymbols().get(in.readEnum()));
            case BOOLEAN -> out.plain(in.readBoolean() ? "true" : "false");
            case INT -> number(schema, in.readInt());
            case LONG -> number(schema, in.readLong());
            case FLOAT -> out.number(in.readFloat());
            case DOUBLE -> out.number(in.readDouble());
            case STRING -> out.text(bytes(in.readLong()));
            case BYTES -> bytes(schema, bytes(in.readLong()));
            case FIXED -> bytes(schema, bytes(schema.getFixedSize()));
        }
        depth--;
        return there;
    }

    private void record(Schema schema) throws IOException {
        out.write('{');
        String between = "";
        for (Schema.Field field : schema.getFields()) {
            out.plain(between).text(field.name());
            out.write(':');
            value(field.schema());
            between = ",";
        }
        out.write('}');
    }

    private void array(Schema element) throws IOException {
        out.write('[');
        String between = "";
        for (long items = in.readArrayStart(); items != 0; items = in.arrayNext()) {
            take(items);
            for (long item = 0; item < items; item++) {
                out.plain(between);
                value(element);
                between = ",";
            }
        }
        out.write(']');
    }

    private void map(Schema value) throws IOException {
        out.write('{');
        String between = "";
        for (long items = in.readMapStart(); items != 0; items = in.mapNext()) {
            take(items);
            for (long item = 0; item < items; item++) {
                out.plain(between).text(bytes(in.readLong()));
                out.write(':');
                value(value);
                between = ",";
            }
        }
        out.write('}');
    }

    /** Items may take no bytes at all, such as nulls: their number is held to that of the bytes. */
    private void take(long items) throws IOException {
        itemsLeft -= items;
        if (itemsLeft < 0) {
            throw new IOException("more items than bytes");
        }
    }

    private byte[] bytes(long length) throws IOException {
        if (length < 0 || length > in.inputStream().available()) {
            throw new IOException("longer than the message");
        }
        byte[] bytes = new byte[(int) length];
        in.readFixed(bytes);
        return bytes;
    }

    private static String logical(Schema schema) {
        LogicalType type = schema.getLogicalType();
        return type == null ? "" : type.getName();
    }

    private void number(Schema schema, long value) {
        switch (counted ? "" : logical(schema)) {
            case "date" -> out.text(LocalDate.ofEpochDay(value).toString());
            case "timestamp-millis" -> out.text(moment(value, MILLIS));
            case "timestamp-micros" -> out.text(moment(value, MICROS));
            case "timestamp-nanos" -> out.text(moment(value, NANOS));
            case "local-timestamp-millis" -> out.text(moment(value, MILLIS).replace("Z", ""));
            case "local-timestamp-micros" -> out.text(moment(value, MICROS).replace("Z", ""));
            case "local-timestamp-nanos" -> out.text(moment(value, NANOS).replace("Z", ""));
            default -> out.plain(Long.toString(value));
        }
    }

    private static String moment(long value, long inASecond) {
        long nanos = Math.floorMod(value, inASecond) * (NANOS / inASecond);
        return Instant.ofEpochSecond(Math.floorDiv(value, inASecond), nanos).toString();
    }

    private void bytes(Schema schema, byte[] bytes) {
        if (schema.getLogicalType() instanceof LogicalTypes.Decimal type
                && type.getScale() <= MAX_SCALE
                && bytes.length > 0) {
            out.text(new BigDecimal(new BigInteger(bytes), type.getScale()).toPlainString());
        } else if (logical(schema).equals("uuid") && bytes.length == UUID_BYTES) {
            ByteBuffer halves = ByteBuffer.wrap(bytes);
            out.text(new UUID(halves.getLong(), halves.getLong()).toString());
        } else {
            out.text(bytes);
        }
    }
}
