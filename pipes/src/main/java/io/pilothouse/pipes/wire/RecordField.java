package io.pilothouse.pipes.wire;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a record of a stream has beside its content, and a pipe may put into columns. */
public enum RecordField {
    KEY,
    TIMESTAMP,
    PARTITION,
    OFFSET,
    TOPIC,
    HEADER_KEYS,
    HEADER_VALUES,
    STREAM,
    SEQUENCE_NUMBER,
    RAW_MESSAGE;

    /** How a field mapping names it. */
    public String source() {
        return "_" + name().toLowerCase(Locale.ROOT);
    }

    /** Under which name the database is given it, which no field of a content is likely to have. */
    public String given() {
        return "@" + source();
    }

    /** The one that a mapping names, if records of this kind of source have it. */
    public static Optional<RecordField> find(String source, String kind) {
        for (RecordField field : values()) {
            if (field.source().equals(source) && field.isOf(kind)) {
                return Optional.of(field);
            }
        }
        return Optional.empty();
    }

    /** Those that records of this kind of source have. */
    public static List<RecordField> of(String kind) {
        return Arrays.stream(values()).filter(field -> field.isOf(kind)).toList();
    }

    private boolean isOf(String kind) {
        return switch (this) {
            case KEY, TIMESTAMP, RAW_MESSAGE -> kind.equals("kafka") || kind.equals("kinesis");
            case PARTITION, OFFSET, TOPIC, HEADER_KEYS, HEADER_VALUES -> kind.equals("kafka");
            case STREAM, SEQUENCE_NUMBER -> kind.equals("kinesis");
        };
    }
}
