package io.pilothouse.pipes.worker.formats;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.pilothouse.pipes.wire.RecordField;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Messages that are lines of CSV, whose values fill the fields of the pipe in their order. Texts are enough for the
 * database: it reads numbers and times out of them. For one thread.
 */
final class CsvMessages implements MessageFormat {
    private static final int MAX_ROWS = 100_000;
    /** As objects, which name the field of each value. */
    private static final int MAX_BYTES = 64 << 20;

    private static final Pattern AROUND = Pattern.compile("(?:Nullable|LowCardinality)\\(");
    private static final Pattern AS_JSON = Pattern.compile("(?:Array|Map|Tuple|Nested|JSON|Variant|Dynamic)\\b.*");
    private static final JsonFactory JSON = new JsonFactory();

    private final List<Field> fields;

    /** How the value of a field is written. */
    private enum Form {
        TEXT,
        FLAG,
        /** As it is: a list or an object. */
        JSON
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Field(String name, byte[] key, Form form) {}

    CsvMessages(Columns columns) {
        // What a record has beside its message is not in it.
        List<String> beside =
                Arrays.stream(RecordField.values()).map(RecordField::given).toList();
        this.fields = columns.all().stream()
                .filter(column -> !beside.contains(column.name()))
                .map(column -> new Field(column.name(), key(column.name()), form(column.type())))
                .toList();
    }

    private static byte[] key(String name) {
        JsonBytes key = new JsonBytes(name.length() + 4);
        key.text(name);
        key.write(':');
        return key.toByteArray();
    }

    private static Form form(String type) {
        String inside = AROUND.matcher(type).replaceAll("");
        if (inside.startsWith("Bool")) {
            return Form.FLAG;
        }
        return AS_JSON.matcher(inside).matches() ? Form.JSON : Form.TEXT;
    }

    @Override
    public void begin() {
        // A message says all about itself.
    }

    @Override
    public List<byte[]> rows(byte[] message) throws BadData {
        List<byte[]> rows = new ArrayList<>();
        CsvLines lines = new CsvLines(message);
        long bytes = 0;
        while (lines.next()) {
            byte[] row = row(lines.values());
            bytes += row.length;
            rows.add(row);
            if (rows.size() > MAX_ROWS || bytes > MAX_BYTES) {
                throw new BadData("The message has more than " + MAX_ROWS + " lines, or is larger than "
                        + (MAX_BYTES >> 20) + " MB as rows.");
            }
        }
        if (rows.isEmpty()) {
            throw new BadData("The message has no line.");
        }
        return rows;
    }

    private byte[] row(List<CsvLines.Value> values) throws BadData {
        if (values.size() != fields.size()) {
            throw new BadData("A line has " + values.size() + (values.size() == 1 ? " value" : " values")
                    + ", and the pipe takes " + fields.size() + ".");
        }
        JsonBytes out = new JsonBytes(64);
        out.write('{');
        for (int at = 0; at < values.size(); at++) {
            Field field = fields.get(at);
            out.write(at == 0 ? ' ' : ',');
            out.writeBytes(field.key());
            write(field, values.get(at), out);
        }
        out.write('}');
        return out.toByteArray();
    }

    private static void write(Field field, CsvLines.Value value, JsonBytes out) throws BadData {
        if (value.isNull()) {
            out.plain("null");
            return;
        }
        switch (field.form()) {
            case TEXT -> out.text(value.bytes());
            case FLAG -> out.plain(flag(field, value));
            case JSON -> {
                requireJson(field, value);
                out.writeBytes(value.bytes());
            }
        }
    }

    private static String flag(Field field, CsvLines.Value value) throws BadData {
        return switch (value.text().toLowerCase(Locale.ROOT)) {
            case "true", "1" -> "true";
            case "false", "0" -> "false";
            default -> throw new BadData("The value of " + field.name() + " is neither true nor false.");
        };
    }

    /** What is not closed would take the rows that follow along. */
    private static void requireJson(Field field, CsvLines.Value value) throws BadData {
        try (JsonParser parser = JSON.createParser(value.bytes())) {
            parser.nextToken();
            parser.skipChildren();
            if (parser.currentToken() == null || parser.nextToken() != null) {
                throw notJson(field);
            }
        } catch (IOException _) {
            throw notJson(field);
        }
    }

    private static BadData notJson(Field field) {
        return new BadData("The value of " + field.name() + " is not a list or an object as JSON has them.");
    }
}
