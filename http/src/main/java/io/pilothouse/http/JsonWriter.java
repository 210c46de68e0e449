package io.pilothouse.http;

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
 * Writes JSON the way all our answers are written: whole numbers without a fraction, times in UTC, and no field for
 * what has no value.
 */
final class JsonWriter implements AutoCloseable {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
            .build();
    private static final int USUAL_BYTES = 2048;
    /** Beyond this a double no longer tells neighbouring whole numbers apart. */
    private static final double WHOLE_LIMIT = 1L << 53;

    private final JsonGenerator generator;

    JsonWriter(OutputStream out) {
        this.generator = FACTORY.createGenerator(ObjectWriteContext.empty(), out);
    }

    /** A piece of a document. */
    @FunctionalInterface
    interface Part {
        void write(JsonWriter out);
    }

    /** A whole document in memory. */
    static byte[] document(Part part) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
        try (JsonWriter out = new JsonWriter(bytes)) {
            part.write(out);
        }
        return bytes.toByteArray();
    }

    /** Gives the underlying buffer back; what was begun and not ended stays unfinished. */
    @Override
    public void close() {
        generator.close();
    }

    void startObject() {
        generator.writeStartObject();
    }

    void startObject(String name) {
        generator.writeObjectPropertyStart(name);
    }

    void endObject() {
        generator.writeEndObject();
    }

    void startArray() {
        generator.writeStartArray();
    }

    void startArray(String name) {
        generator.writeArrayPropertyStart(name);
    }

    void endArray() {
        generator.writeEndArray();
    }

    void name(String name) {
        generator.writeName(name);
    }

    void text(String name, @Nullable String value) {
        if (value != null) {
            generator.writeStringProperty(name, value);
        }
    }

    void id(String name, @Nullable UUID value) {
        if (value != null) {
            generator.writeStringProperty(name, value.toString());
        }
    }

    void time(String name, @Nullable Instant value) {
        if (value != null) {
            generator.writeStringProperty(name, value.toString());
        }
    }

    void whole(String name, long value) {
        generator.writeNumberProperty(name, value);
    }

    void number(String name, double value) {
        generator.writeName(name);
        number(value);
    }

    void flag(String name, boolean value) {
        generator.writeBooleanProperty(name, value);
    }

    void text(String value) {
        generator.writeString(value);
    }

    void number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < WHOLE_LIMIT) {
            generator.writeNumber((long) value);
        } else {
            generator.writeNumber(value);
        }
    }

    void flag(boolean value) {
        generator.writeBoolean(value);
    }

    void nothing() {
        generator.writeNull();
    }

    void texts(String name, List<String> values) {
        generator.writeArrayPropertyStart(name);
        for (String value : values) {
            generator.writeString(value);
        }
        generator.writeEndArray();
    }

    <T> void list(String name, List<T> values, ItemWriter<T> writer) {
        generator.writeArrayPropertyStart(name);
        for (T value : values) {
            writer.write(this, value);
        }
        generator.writeEndArray();
    }

    /** Writes one item of a list. */
    @FunctionalInterface
    interface ItemWriter<T> {
        void write(JsonWriter out, T item);
    }
}
