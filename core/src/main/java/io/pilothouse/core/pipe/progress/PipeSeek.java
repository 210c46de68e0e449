package io.pilothouse.core.pipe.progress;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.WordRule;
import io.pilothouse.core.pipe.Pipe;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * From where a pipe is to read on, and which of its partitions; all of them where none is named. The beginning, the end
 * and a time are looked up at the source by the worker that reads on, so that the source need not be there now.
 */
public record PipeSeek(
        To to,
        @Nullable Long offset,
        @Nullable String sequenceNumber,
        @Nullable Instant time,
        List<String> partitions) {
    /** The sorts of places. */
    public enum To {
        BEGINNING("beginning"),
        END("end"),
        OFFSET("offset"),
        SEQUENCE_NUMBER("sequenceNumber"),
        TIME("time");

        /** The words of the wire. */
        public static final WordRule WORDS = WordRule.of(values(), To::word);

        private final String word;

        To(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        static Optional<To> find(@Nullable String word) {
            return Arrays.stream(values()).filter(to -> to.word().equals(word)).findFirst();
        }
    }

    /** What was asked for, before it was checked. */
    public record Draft(
            @Nullable String to,
            @Nullable Double offset,
            @Nullable String sequenceNumber,
            @Nullable String time,
            @Nullable List<String> partitions) {}

    public PipeSeek {
        partitions = List.copyOf(partitions);
    }

    /** Empty where it has a fault; faults of partitions, which depend on the pipe, are found by {@link #checkFor}. */
    static Optional<PipeSeek> read(Draft draft, Faults faults) {
        if (!faults.has("to")) {
            To.WORDS.check("to", draft.to() == null ? "" : draft.to(), faults);
        }
        RuleBook.SEEK_OFFSET.check("offset", draft.offset(), faults);
        RuleBook.SEEK_SEQUENCE_NUMBER.check("sequenceNumber", draft.sequenceNumber(), faults);
        Instant time = instant(draft.time(), faults);
        List<String> partitions = draft.partitions() == null ? List.of() : draft.partitions();
        if (partitions.size() > RuleBook.MAX_SEEK_PARTITIONS) {
            faults.add("partitions", "must have at most " + RuleBook.MAX_SEEK_PARTITIONS + " items");
        }
        Optional<To> to = To.find(draft.to());
        to.ifPresent(sort -> {
            belongs("offset", draft.offset() != null, sort == To.OFFSET, faults);
            belongs("sequenceNumber", draft.sequenceNumber() != null, sort == To.SEQUENCE_NUMBER, faults);
            belongs("time", draft.time() != null, sort == To.TIME, faults);
            if (sort == To.OFFSET && partitions.isEmpty()) {
                faults.add("partitions", "is required with an offset, which means another place in each");
            }
            if (sort == To.SEQUENCE_NUMBER && partitions.size() != 1) {
                faults.add("partitions", "must be the one shard that has this record");
            }
        });
        if (to.isEmpty() || !faults.none()) {
            return Optional.empty();
        }
        Double offset = draft.offset();
        return Optional.of(new PipeSeek(
                to.get(), offset == null ? null : offset.longValue(), draft.sequenceNumber(), time, partitions));
    }

    private static void belongs(String field, boolean given, boolean wanted, Faults faults) {
        if (wanted && !given && !faults.has(field)) {
            faults.add(field, "is required to seek to this");
        }
        if (given && !wanted) {
            faults.add(field, "is only for `to: " + field + "`");
        }
    }

    private static @Nullable Instant instant(@Nullable String text, Faults faults) {
        if (text == null) {
            return null;
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException notATime) {
            faults.add("time", "must be an RFC 3339 date-time with a zone");
            return null;
        }
    }

    /** Whether the pipe can have such places and partitions; whether its source has them, the source knows. */
    void checkFor(Pipe pipe, PipeParts parts, Faults faults) {
        if (parts.refuses(to)) {
            faults.add("to", to.word() + " is not a place in " + pipe.kind().title());
        }
        for (int i = 0; i < partitions.size(); i++) {
            String path = "partitions[" + i + "]";
            parts.fault(pipe, partitions.get(i)).ifPresent(fault -> faults.add(path, fault));
        }
    }

    /** The place as workers read it; empty for an offset, which needs no looking up. */
    public String place() {
        return switch (to) {
            case BEGINNING, END -> to.word();
            case OFFSET -> "";
            case SEQUENCE_NUMBER -> String.valueOf(sequenceNumber);
            case TIME -> String.valueOf(time);
        };
    }

    /** What the history of the organization says of it. */
    Tree.Members asked() {
        Map<String, Tree> asked = new LinkedHashMap<>();
        asked.put("to", new Tree.Text(to == To.OFFSET ? String.valueOf(offset) : place()));
        if (!partitions.isEmpty()) {
            asked.put("partitions", Tree.Items.texts(partitions));
        }
        return new Tree.Members(asked);
    }
}
