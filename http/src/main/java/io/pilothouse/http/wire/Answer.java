package io.pilothouse.http.wire;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The answer to a request: a status, header fields, and content that is in memory or is written while it is sent. */
public record Answer(int status, Content content, List<Field> fields) {
    static final String JSON = "application/json";
    static final String REQUEST_ID = "X-Request-Id";
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;

    public Answer {
        fields = List.copyOf(fields);
    }

    /** One header field. */
    public record Field(String name, String value) {}

    /** The content after the head. */
    public sealed interface Content permits Whole, Streamed, None {}

    /** Content in memory. */
    public static final class Whole implements Content {
        private final String mediaType;
        private final byte[] bytes;

        /** The bytes are taken over, not copied: the caller must not change them afterwards. */
        public Whole(String mediaType, byte[] bytes) {
            this.mediaType = mediaType;
            this.bytes = bytes;
        }

        public String mediaType() {
            return mediaType;
        }

        public byte[] bytes() {
            return bytes;
        }
    }

    /** Content that is written while it is sent, so that it is never in memory as a whole. */
    public record Streamed(String mediaType, Stream stream) implements Content {}

    /** No content, as a 304 has it. */
    public record None() implements Content {}

    /** Writes content; an exception aborts the answer, so that no client takes half of it for the whole. */
    @FunctionalInterface
    public interface Stream {
        void writeTo(OutputStream out);

        /** Called when the answer has ended, whether or not it was written. */
        default void end() {}
    }

    /** A success with a JSON document. */
    public static Answer json(byte[] document) {
        return json(OK, document);
    }

    public static Answer json(int status, byte[] document) {
        return new Answer(status, new Whole(JSON, document), List.of());
    }

    public static Answer text(int status, String mediaType, String text) {
        return new Answer(status, new Whole(mediaType, text.getBytes(StandardCharsets.UTF_8)), List.of());
    }

    public static Answer streamedJson(Stream stream) {
        return new Answer(OK, new Streamed(JSON, stream), List.of());
    }

    public static Answer notModified() {
        return new Answer(NOT_MODIFIED, new None(), List.of());
    }

    /** The same answer with one more header field. */
    public Answer with(String name, String value) {
        List<Field> more = new ArrayList<>(fields);
        more.add(new Field(name, value));
        return new Answer(status, content, more);
    }

    /** The same answer, kept by no cache, because it shows a secret. */
    public Answer unstored() {
        return with("Cache-Control", "no-store");
    }

    /** Lets go of what its content comes from. */
    void end() {
        if (content instanceof Streamed streamed) {
            streamed.stream().end();
        }
    }

    boolean has(String name) {
        for (Field field : fields) {
            if (field.name().equals(name)) {
                return true;
            }
        }
        return false;
    }
}
