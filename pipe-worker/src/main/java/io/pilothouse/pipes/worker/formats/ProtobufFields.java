package io.pilothouse.pipes.worker.formats;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.pilothouse.pipes.wire.FoundFields.Field;
import io.pilothouse.pipes.wire.Sql;
import io.pilothouse.pipes.worker.formats.SchemaRegistry.Written;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Schemas of Protobuf as fields with the types of columns that take their values whole. Of a message only its type is
 * looked at: {@code found} is told the fields of it.
 */
record ProtobufFields(Consumer<List<Field>> found) implements SchemaLanguage<FileDescriptor> {
    /** A message may hold its like. */
    private static final int MAX_DEPTH = 6;

    private static final String TEXT = "String";
    private static final String LIBRARY = "google.protobuf.";
    private static final byte[] NOTHING = {};

    @Override
    public String type() {
        return "PROTOBUF";
    }

    @Override
    public FileDescriptor read(Written written, SchemaRegistry registry) throws Trouble {
        return ProtobufSchemas.parsed(written, registry);
    }

    @Override
    public byte[] row(FileDescriptor schema, byte[] message, int from) throws BadData {
        try {
            CodedInputStream in = CodedInputStream.newInstance(message, from, message.length - from);
            List<Field> fields = new ArrayList<>();
            add("", ProtobufJson.type(schema, in, from > 0), false, fields, 1);
            found.accept(List.copyOf(fields));
            return NOTHING;
        } catch (IOException | RuntimeException _) {
            throw new BadData("The message is not what its schema says.");
        }
    }

    private static void add(String prefix, Descriptor message, boolean optional, List<Field> fields, int depth) {
        for (FieldDescriptor field : message.getFields()) {
            boolean maybe = optional || (field.hasPresence() && !field.isRequired());
            if (isObject(field) && !field.isRepeated() && depth < MAX_DEPTH) {
                add(prefix + field.getName() + ".", field.getMessageType(), maybe, fields, depth + 1);
            } else {
                fields.add(new Field(prefix + field.getName(), type(field, depth), maybe));
            }
        }
    }

    /** Whether its value is an object of fields, and not one value in a message of Protobuf's own library. */
    private static boolean isObject(FieldDescriptor field) {
        return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                && !field.getMessageType().getFullName().startsWith(LIBRARY);
    }

    private static String type(FieldDescriptor field, int depth) {
        if (field.isMapField()) {
            List<FieldDescriptor> entry = field.getMessageType().getFields();
            return depth < MAX_DEPTH
                    ? "Map(" + one(entry.getFirst(), depth + 1) + ", " + one(entry.getLast(), depth + 1) + ")"
                    : TEXT;
        }
        return field.isRepeated() ? "Array(" + one(field, depth + 1) + ")" : one(field, depth);
    }

    private static String one(FieldDescriptor field, int depth) {
        return switch (field.getType()) {
            case BOOL -> "Bool";
            case INT32, SINT32, SFIXED32 -> "Int32";
            case INT64, SINT64, SFIXED64 -> "Int64";
            case UINT32, FIXED32 -> "UInt32";
            case UINT64, FIXED64 -> "UInt64";
            case FLOAT -> "Float32";
            case DOUBLE -> "Float64";
            case STRING, BYTES, ENUM -> TEXT;
            case MESSAGE, GROUP -> message(field.getMessageType(), depth);
        };
    }

    private static String message(Descriptor message, int depth) {
        String name = message.getFullName();
        if (name.equals(ProtobufJson.TIMESTAMP)) {
            return "DateTime64(9)";
        }
        if (ProtobufJson.WRAPPERS.contains(name)) {
            return one(message.getFields().getFirst(), depth);
        }
        if (name.startsWith(LIBRARY)
                || depth >= MAX_DEPTH
                || message.getFields().isEmpty()) {
            return TEXT;
        }
        return message.getFields().stream()
                .map(field -> Sql.name(field.getName()) + " " + type(field, depth + 1))
                .collect(Collectors.joining(", ", "Tuple(", ")"));
    }
}
