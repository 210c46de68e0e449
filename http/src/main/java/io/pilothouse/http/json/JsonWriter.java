package io.pilothouse.http.json;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes JSON in the form of all answers: integers without a fraction, times in UTC, and no field for an absent value.
 */
public final class JsonWriter implements AutoCloseable {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
            .build();
    private static final int USUAL_BYTES = 2048;
    /** Beyond this a double cannot represent every integer. */
    private static final double WHOLE_LIMIT = 1L << 53;

    private final JsonGenerator generator;

    public JsonWriter(OutputStream out) {
        this.generator = FACTORY.createGenerator(ObjectWriteContext.empty(), out);
    }

    /** A piece of a document. */
    @FunctionalInterface
    public interface Part {
        void write(JsonWriter out);
    }

    /** A whole document in memory. */
    public static byte[] document(Part part) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
        try (JsonWriter out = new JsonWriter(bytes)) {
            part.write(out);
        }
        return bytes.toByteArray();
    }

    /** Releases the underlying buffer; unfinished objects stay unfinished. */
    @Override
    public void close() {
        generator.close();
    }

    public void startObject() {
        generator.writeStartObject();
    }

    public void startObject(String name) {
        generator.writeObjectPropertyStart(name);
    }

    public void endObject() {
        generator.writeEndObject();
    }

    public void startArray() {
        generator.writeStartArray();
    }

    public void startArray(String name) {
        generator.writeArrayPropertyStart(name);
    }

    public void endArray() {
        generator.writeEndArray();
    }

    public void name(String name) {
        generator.writeName(name);
    }

    public void text(String name, @Nullable String value) {
        if (value != null) {
            generator.writeStringProperty(name, value);
        }
    }

    public void id(String name, @Nullable UUID value) {
        if (value != null) {
            generator.writeStringProperty(name, value.toString());
        }
    }

    public void time(String name, @Nullable Instant value) {
        if (value != null) {
            generator.writeStringProperty(name, value.toString());
        }
    }

    public void whole(String name, long value) {
        generator.writeNumberProperty(name, value);
    }

    public void number(String name, double value) {
        generator.writeName(name);
        number(value);
    }

    public void flag(String name, boolean value) {
        generator.writeBooleanProperty(name, value);
    }

    public void text(String value) {
        generator.writeString(value);
    }

    public void number(double value) {
        if (value == Math.rint(value) && Math.abs(value) <= WHOLE_LIMIT) {
            generator.writeNumber((long) value);
        } else {
            generator.writeNumber(value);
        }
    }

    public void flag(boolean value) {
        generator.writeBoolean(value);
    }

    public void nothing() {
        generator.writeNull();
    }

    public void texts(String name, List<String> values) {
        generator.writeArrayPropertyStart(name);
        for (String value : values) {
            generator.writeString(value);
        }
        generator.writeEndArray();
    }

    public <T> void list(String name, List<T> values, ItemWriter<T> writer) {
        generator.writeArrayPropertyStart(name);
        for (T value : values) {
            writer.write(this, value);
        }
        generator.writeEndArray();
    }

    /** Writes one item of a list. */
    @FunctionalInterface
    public interface ItemWriter<T> {
        void write(JsonWriter out, T item);
    }
}
