package io.pilothouse.pipes.worker.formats;

import io.pilothouse.pipes.wire.FoundFields.Field;
import io.pilothouse.pipes.wire.Sql;
import io.pilothouse.pipes.worker.formats.SchemaRegistry.Written;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * Schemas of Avro as fields with the types of columns that take their values whole. Of a message only the schema is
 * looked at: {@code found} is told its fields.
 */
record AvroFields(Consumer<List<Field>> found) implements SchemaLanguage<List<Field>> {
    /** A schema may hold itself. */
    private static final int MAX_DEPTH = 6;

    private static final int MAX_DIGITS = 76;
    private static final String TEXT = "String";
    private static final byte[] NOTHING = {};

    @Override
    public String type() {
        return "AVRO";
    }

    @Override
    public List<Field> read(Written written, SchemaRegistry registry) throws Trouble {
        return of(AvroSchemas.parsed(written, registry));
    }

    static List<Field> of(Schema schema) throws BadData {
        if (schema.getType() != Schema.Type.RECORD) {
            throw new BadData("It is not a record, so it has no fields.");
        }
        List<Field> fields = new ArrayList<>();
        add("", schema, false, fields, 1);
        return List.copyOf(fields);
    }

    @Override
    public byte[] row(List<Field> schema, byte[] message, int from) {
        found.accept(schema);
        return NOTHING;
    }

    private static void add(String prefix, Schema record, boolean optional, List<Field> fields, int depth) {
        for (Schema.Field field : record.getFields()) {
            Schema there = there(field.schema()).orElse(field.schema());
            boolean maybe = optional || field.schema().isNullable();
            if (there.getType() == Schema.Type.RECORD && depth < MAX_DEPTH) {
                add(prefix + field.name() + ".", there, maybe, fields, depth + 1);
            } else {
                fields.add(new Field(prefix + field.name(), type(there, depth), maybe));
            }
        }
    }

    /** What a union is when it is not null, if that is one thing. */
    private static Optional<Schema> there(Schema schema) {
        if (schema.getType() != Schema.Type.UNION) {
            return Optional.of(schema);
        }
        List<Schema> others = schema.getTypes().stream()
                .filter(one -> one.getType() != Schema.Type.NULL)
                .toList();
        return others.size() == 1 ? Optional.of(others.getFirst()) : Optional.empty();
    }

    private static String type(Schema schema, int depth) {
        String logical = logical(schema);
        return switch (schema.getType()) {
            case BOOLEAN -> "Bool";
            case INT -> logical.equals("date") ? "Date32" : "Int32";
            case LONG -> moment(logical).orElse("Int64");
            case FLOAT -> "Float32";
            case DOUBLE -> "Float64";
            case STRING, BYTES, FIXED -> logical.equals("uuid") ? "UUID" : decimal(schema);
            case ENUM, NULL, UNION -> TEXT;
            case ARRAY -> depth < MAX_DEPTH ? "Array(" + inner(schema.getElementType(), depth + 1) + ")" : TEXT;
            case MAP -> depth < MAX_DEPTH ? "Map(String, " + inner(schema.getValueType(), depth + 1) + ")" : TEXT;
            case RECORD -> tuple(schema, depth);
        };
    }

    private static String tuple(Schema record, int depth) {
        if (depth >= MAX_DEPTH || record.getFields().isEmpty()) {
            return TEXT;
        }
        return record.getFields().stream()
                .map(field -> Sql.name(field.name()) + " " + inner(field.schema(), depth + 1))
                .collect(Collectors.joining(", ", "Tuple(", ")"));
    }

    /** The type of something inside of a column, which says by itself whether it may be null. */
    private static String inner(Schema schema, int depth) {
        String type = there(schema).map(one -> type(one, depth)).orElse(TEXT);
        boolean whole = !type.startsWith("Array") && !type.startsWith("Map") && !type.startsWith("Tuple");
        return schema.isNullable() && whole ? "Nullable(" + type + ")" : type;
    }

    private static String logical(Schema schema) {
        LogicalType type = schema.getLogicalType();
        return type == null ? "" : type.getName();
    }

    private static Optional<String> moment(String logical) {
        return switch (logical.replaceFirst("^local-", "")) {
            case "timestamp-millis" -> Optional.of("DateTime64(3)");
            case "timestamp-micros" -> Optional.of("DateTime64(6)");
            case "timestamp-nanos" -> Optional.of("DateTime64(9)");
            default -> Optional.empty();
        };
    }

    private static String decimal(Schema schema) {
        return schema.getLogicalType() instanceof LogicalTypes.Decimal decimal && decimal.getPrecision() <= MAX_DIGITS
                ? "Decimal(" + decimal.getPrecision() + ", " + decimal.getScale() + ")"
                : TEXT;
    }
}
