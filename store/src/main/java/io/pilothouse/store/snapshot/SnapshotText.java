package io.pilothouse.store.snapshot;

import io.pilothouse.core.port.KeptRow;
import io.pilothouse.core.snapshot.Snapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A snapshot as text: an object about it, and after that an array for each row, which begins with its table. */
final class SnapshotText {
    private static final JsonFactory JSON = new JsonFactory();

    private SnapshotText() {}

    /** What a file says of itself; {@code form} is that of the store that the rows are from. */
    record Heading(Snapshot snapshot, long form) {}

    static void write(OutputStream out, Heading heading, List<KeptRow> rows) {
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            write(json, heading);
            for (KeptRow row : rows) {
                json.writeStartArray();
                json.writeString(row.table());
                row.values().forEach(value -> write(json, value));
                json.writeEndArray();
            }
        }
    }

    private static void write(JsonGenerator json, Heading heading) {
        Snapshot snapshot = heading.snapshot();
        UUID organizationId = snapshot.organizationId();
        json.writeStartObject();
        json.writeStringProperty("name", snapshot.name());
        if (organizationId != null) {
            json.writeStringProperty("organizationId", organizationId.toString());
        }
        json.writeStringProperty("takenAt", snapshot.takenAt().toString());
        json.writeNumberProperty("rows", snapshot.rows());
        json.writeNumberProperty("services", snapshot.services());
        json.writeNumberProperty("bytes", snapshot.bytes());
        Long dataBytes = snapshot.dataBytes();
        if (dataBytes != null) {
            json.writeNumberProperty("dataBytes", dataBytes);
        }
        json.writeStringProperty("sealed", snapshot.marks().sealed());
        json.writeStringProperty("hashed", snapshot.marks().hashed());
        json.writeNumberProperty("form", heading.form());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, @Nullable Object value) {
        switch (value) {
            case null -> json.writeNull();
            case String text -> json.writeString(text);
            case Long number -> json.writeNumber(number);
            default -> throw new IllegalStateException("No column holds a " + value.getClass());
        }
    }

    /** Throws {@link IOException} for what is no snapshot, or a damaged one. */
    static Heading heading(InputStream in) throws IOException {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), in)) {
            return heading(json);
        } catch (JacksonException | IllegalArgumentException | java.time.DateTimeException e) {
            throw new IOException("it is no snapshot, or is damaged", e);
        }
    }

    static List<KeptRow> rows(InputStream in) throws IOException {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), in)) {
            long expected = heading(json).snapshot().rows();
            List<KeptRow> rows = new ArrayList<>();
            while (json.nextToken() == JsonToken.START_ARRAY) {
                String table = json.nextStringValue();
                List<@Nullable Object> values = new ArrayList<>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    values.add(value(json));
                }
                rows.add(new KeptRow(String.valueOf(table), values));
            }
            if (rows.size() != expected) {
                throw new IOException("it has lost rows");
            }
            return rows;
        } catch (JacksonException | IllegalArgumentException | java.time.DateTimeException e) {
            throw new IOException("it is no snapshot, or is damaged", e);
        }
    }

    private static Heading heading(JsonParser json) throws IOException {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw new IOException("it is no snapshot");
        }
        Map<String, Object> members = new HashMap<>();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            json.nextToken();
            Object value = value(json);
            if (value != null) {
                members.put(name, value);
            }
        }
        Object organizationId = members.get("organizationId");
        Snapshot snapshot = new Snapshot(
                text(members, "name"),
                organizationId == null ? null : UUID.fromString(organizationId.toString()),
                Instant.parse(text(members, "takenAt")),
                number(members, "rows"),
                number(members, "services"),
                number(members, "bytes"),
                members.containsKey("dataBytes") ? (Long) number(members, "dataBytes") : null,
                new Snapshot.Marks(text(members, "sealed"), text(members, "hashed")));
        return new Heading(snapshot, number(members, "form"));
    }

    private static @Nullable Object value(JsonParser json) {
        return switch (json.currentToken()) {
            case VALUE_STRING -> json.getString();
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_NULL -> null;
            case null, default -> throw new IllegalArgumentException("no value of a column");
        };
    }

    private static String text(Map<String, Object> members, String name) {
        if (members.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(name + " is missing");
    }

    private static long number(Map<String, Object> members, String name) {
        if (members.get(name) instanceof Long number) {
            return number;
        }
        throw new IllegalArgumentException(name + " is missing");
    }
}
