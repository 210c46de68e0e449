package io.pilothouse.pipes.worker.formats;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Messages of one schema of Protobuf as JSON objects, with the names that the schema has. For one thread. */
final class ProtobufJson {
    private static final int USUAL_BYTES = 512;
    static final String TIMESTAMP = "google.protobuf.Timestamp";
    /** Messages that stand for the one value in them. */
    static final Set<String> WRAPPERS = Set.of(
            "google.protobuf.DoubleValue",
            "google.protobuf.FloatValue",
            "google.protobuf.Int64Value",
            "google.protobuf.UInt64Value",
            "google.protobuf.Int32Value",
            "google.protobuf.UInt32Value",
            "google.protobuf.BoolValue",
            "google.protobuf.StringValue",
            "google.protobuf.BytesValue");

    private final FileDescriptor file;
    private final Columns columns;
    private final Map<Descriptor, List<Wanted>> wanted = new HashMap<>();

    /** A field that the table wants; {@code counted} says that its column is one of integers. */
    private record Wanted(FieldDescriptor field, boolean counted) {}

    ProtobufJson(FileDescriptor file, Columns columns) {
        this.file = file;
        this.columns = columns;
    }

    private List<Wanted> wanted(Descriptor type) {
        return type.getFields().stream()
                .filter(field -> columns.want(field.getName()))
                .map(field -> new Wanted(field, columns.count(field.getName())))
                .toList();
    }

    /** The fields of a message that the table wants; {@code numbered} says that its type is before it. */
    byte[] row(CodedInputStream in, boolean numbered) throws IOException {
        Descriptor type = type(file, in, numbered);
        DynamicMessage message = DynamicMessage.parseFrom(type, in);
        JsonBytes out = new JsonBytes(USUAL_BYTES);
        String between = "{";
        for (Wanted one : wanted.computeIfAbsent(type, this::wanted)) {
            if (isThere(message, one.field())) {
                out.plain(between).text(one.field().getName());
                out.write(':');
                field(out, message, one.field(), one.counted());
                between = ",";
            }
        }
        return out.plain(between.equals("{") ? "{}" : "}").toByteArray();
    }

    /** The type of a message of this file. */
    static Descriptor type(FileDescriptor file, CodedInputStream in, boolean numbered) throws IOException {
        return numbered ? chosen(file, in) : file.getMessageTypes().getFirst();
    }

    /** The numbers before a message lead to its type, from the outermost in; none means the first one. */
    private static Descriptor chosen(FileDescriptor file, CodedInputStream in) throws IOException {
        int steps = in.readSInt32();
        Descriptor type = file.getMessageTypes().get(steps == 0 ? 0 : in.readSInt32());
        for (int step = 1; step < steps; step++) {
            type = type.getNestedTypes().get(in.readSInt32());
        }
        return type;
    }

    /** A field that cannot be told from one that was not set is there, with the default of its type. */
    private static boolean isThere(Message message, FieldDescriptor field) {
        return !field.hasPresence() || message.hasField(field);
    }

    private static void object(JsonBytes out, Message message) {
        out.write('{');
        String between = "";
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            if (isThere(message, field)) {
                out.plain(between).text(field.getName());
                out.write(':');
                field(out, message, field, false);
                between = ",";
            }
        }
        out.write('}');
    }

    private static void field(JsonBytes out, Message message, FieldDescriptor field, boolean counted) {
        Object value = message.getField(field);
        if (field.isMapField()) {
            map(out, (List<?>) value);
        } else if (field.isRepeated()) {
            String between = "[";
            for (Object item : (List<?>) value) {
                out.plain(between);
                value(out, field, item, counted);
                between = ",";
            }
            out.plain(between.equals("[") ? "[]" : "]");
        } else {
            value(out, field, value, counted);
        }
    }

    private static void map(JsonBytes out, List<?> entries) {
        String between = "{";
        for (Object one : entries) {
            Message entry = (Message) one;
            FieldDescriptor key = entry.getDescriptorForType().findFieldByNumber(1);
            FieldDescriptor value = entry.getDescriptorForType().findFieldByNumber(2);
            out.plain(between).text(String.valueOf(entry.getField(key)));
            out.write(':');
            value(out, value, entry.getField(value), false);
            between = ",";
        }
        out.plain(between.equals("{") ? "{}" : "}");
    }

    private static void value(JsonBytes out, FieldDescriptor field, Object value, boolean counted) {
        switch (field.getType()) {
            case INT32, SINT32, SFIXED32, INT64, SINT64, SFIXED64, BOOL -> out.plain(value.toString());
            case UINT32, FIXED32 -> out.plain(Integer.toUnsignedString((Integer) value));
            case UINT64, FIXED64 -> out.plain(Long.toUnsignedString((Long) value));
            case FLOAT -> out.number((Float) value);
            case DOUBLE -> out.number((Double) value);
            case STRING -> out.text((String) value);
            case BYTES -> out.text(((ByteString) value).toByteArray());
            case ENUM -> enumeration(out, (EnumValueDescriptor) value, counted);
            case MESSAGE, GROUP -> message(out, (Message) value);
        }
    }

    /** A value that the schema does not know has a number only. */
    private static void enumeration(JsonBytes out, EnumValueDescriptor value, boolean counted) {
        if (counted || value.getIndex() < 0) {
            out.plain(Integer.toString(value.getNumber()));
        } else {
            out.text(value.getName());
        }
    }

    private static void message(JsonBytes out, Message message) {
        Descriptor type = message.getDescriptorForType();
        if (type.getFullName().equals(TIMESTAMP)) {
            long seconds = (Long) message.getField(type.findFieldByNumber(1));
            int nanos = (Integer) message.getField(type.findFieldByNumber(2));
            out.text(Instant.ofEpochSecond(seconds, nanos).toString());
        } else if (WRAPPERS.contains(type.getFullName())) {
            field(out, message, type.findFieldByNumber(1), false);
        } else {
            object(out, message);
        }
    }
}
