package io.pilothouse.core.pipe.progress;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.PipeRange;
import io.pilothouse.core.pipe.progress.PipeOffsets.Place;
import io.pilothouse.core.pipe.progress.PipeSeek.To;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How a kind of stream names its parts, and the places in them that a pipe may be sent to; pure. */
public enum PipeParts {
    /** Partitions of topics: a place is a number, and the lag counts records. */
    KAFKA(PipeKind.KAFKA, "topics", "0|[1-9]\\d{0,8}", To.OFFSET, "lag") {
        @Override
        String like(String topic) {
            return "a topic of the pipe and a number, like `" + topic + ":0`";
        }

        @Override
        Place place(PipeRange row) {
            return new Place.Offset(row.mark());
        }
    },
    /** Shards of a stream: a place is a record, and Kinesis says only how old the next one is. */
    KINESIS(PipeKind.KINESIS, "streamName", "[a-zA-Z0-9_.-]{1,128}", To.SEQUENCE_NUMBER, "millisBehindLatest") {
        @Override
        String like(String stream) {
            return "the stream of the pipe and a shard, like `" + stream + ":shardId-000000000000`";
        }

        @Override
        @Nullable
        Place place(PipeRange row) {
            int middle = row.identity().indexOf(RANGE);
            String last = row.pendingTo() == null
                    ? row.identity().substring(middle + RANGE.length())
                    : row.identity().substring(0, middle);
            if (last.isEmpty()) {
                return null;
            }
            return last.equals(CLOSED) ? new Place.End() : new Place.Through(last);
        }
    };

    /** What is between the ends of a range of a shard, as the ledger keeps it. */
    private static final String RANGE = "..";

    /** What the ledger has in place of a record where a shard was closed and is read. */
    private static final String CLOSED = "END";

    private static final Pattern COMMA = Pattern.compile(",");

    private final PipeKind kind;
    private final String owners;
    private final Pattern name;
    private final To exact;
    private final String lag;

    PipeParts(PipeKind kind, String owners, String name, To exact, String lag) {
        this.kind = kind;
        this.owners = owners;
        this.name = Pattern.compile(name);
        this.exact = exact;
        this.lag = lag;
    }

    /** Empty for a source that has no such parts. */
    static Optional<PipeParts> of(PipeKind kind) {
        return Arrays.stream(values()).filter(parts -> parts.kind == kind).findFirst();
    }

    /** What its lag is called. */
    public String lag() {
        return lag;
    }

    /** Whether a place of this sort is one of another kind of stream. */
    boolean refuses(To to) {
        return to != exact && Arrays.stream(values()).anyMatch(parts -> parts.exact == to);
    }

    /** How far a part was read; null where nothing of it is in the table yet. */
    abstract @Nullable Place place(PipeRange row);

    /** What the name of a part must be; {@code owner} is the first of the topics or the stream. */
    abstract String like(String owner);

    /** What is wrong with the name of a part of this pipe. */
    Optional<String> fault(Pipe pipe, String part) {
        List<String> known = COMMA.splitAsStream(pipe.source().text(owners).orElse(""))
                .map(String::strip)
                .toList();
        return isPart(part) && known.contains(owner(part))
                ? Optional.empty()
                : Optional.of("must be " + like(known.getFirst()));
    }

    /** Whether a line of the ledger is about a part, and not about the stream or a seek. */
    boolean isPart(String line) {
        int colon = line.lastIndexOf(':');
        return colon > 0 && name.matcher(line.substring(colon + 1)).matches();
    }

    /** By the topic, then by the number: a longer number is a larger one. */
    static Comparator<String> order() {
        return Comparator.comparing(PipeParts::owner)
                .thenComparingInt(String::length)
                .thenComparing(Comparator.naturalOrder());
    }

    private static String owner(String part) {
        return part.substring(0, part.lastIndexOf(':'));
    }
}
