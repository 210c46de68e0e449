package io.pilothouse.pipes.worker.formats;

import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/** A record of Avro as a row: its fields that the table wants, each as JSON; pure. */
final class AvroRow {
    private static final int USUAL_BYTES = 512;

    private final List<Field> fields;

    /** A field; {@code counted} says that the column is for the number behind a date or a time. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Field(byte[] key, Schema schema, boolean wanted, boolean counted) {}

    private AvroRow(List<Field> fields) {
        this.fields = fields;
    }

    static AvroRow of(Schema schema, Columns columns) throws BadData {
        if (schema.getType() != Schema.Type.RECORD) {
            throw new BadData("It is not a record, so it has no fields.");
        }
        List<Field> fields = new ArrayList<>();
        for (Schema.Field field : schema.getFields()) {
            JsonBytes key = new JsonBytes(USUAL_BYTES);
            key.text(field.name());
            key.write(':');
            fields.add(new Field(
                    key.toByteArray(), field.schema(), columns.want(field.name()), columns.count(field.name())));
        }
        return new AvroRow(fields);
    }

    byte[] json(byte[] message, int from) throws BadData {
        return all(message, from, message.length - from, 1).getFirst();
    }

    /** Reads this number of records, which nothing may follow. */
    List<byte[]> all(byte[] bytes, int from, int length, long count) throws BadData {
        List<byte[]> rows = new ArrayList<>();
        try {
            BinaryDecoder in = DecoderFactory.get().binaryDecoder(bytes, from, length, null);
            for (long row = 0; row < count; row++) {
                rows.add(next(in, length));
            }
            if (!in.isEnd()) {
                throw new BadData("The message is longer than its schema says.");
            }
        } catch (IOException | RuntimeException _) {
            // The library has many ways to say that bytes are not what they should be.
            throw new BadData("The message is not what its schema says.");
        }
        return rows;
    }

    private byte[] next(BinaryDecoder in, int length) throws IOException {
        JsonBytes out = new JsonBytes(USUAL_BYTES);
        AvroJson values = new AvroJson(in, out, length);
        out.write('{');
        for (Field field : fields) {
            int before = out.size();
            if (before > 1) {
                out.write(',');
            }
            out.writeBytes(field.key());
            boolean there = values.field(field.schema(), field.counted());
            if (!there || !field.wanted()) {
                // A field that is null is as one that is missing: the column gets its default.
                out.cut(before);
            }
        }
        out.write('}');
        return out.toByteArray();
    }
}
