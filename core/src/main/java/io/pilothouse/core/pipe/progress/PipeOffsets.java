package io.pilothouse.core.pipe.progress;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a pipe is in each partition of its source, or each shard. {@code seek} is where those begin that it has not
 * begun since it was sent there.
 */
public record PipeOffsets(PipeParts parts, @Nullable String seek, List<Partition> partitions) {
    public PipeOffsets {
        partitions = List.copyOf(partitions);
    }

    /**
     * One partition. There is no place while the pipe has yet to find the one that {@code seek} names, or has yet to
     * read something. The lag is what a worker last reported.
     */
    public record Partition(
            String partition,
            @Nullable Place place,
            @Nullable String seek,
            @Nullable PartLag lag) {}

    /** How far a partition was read. */
    public sealed interface Place {
        /** Everything before this number. */
        record Offset(long next) implements Place {}

        /** Everything up to the record with this number. */
        record Through(String sequenceNumber) implements Place {}

        /** Everything of a shard that was closed. */
        record End() implements Place {}
    }

    /** How many records were yet to be read or, where parts are shards, how old the next one is in milliseconds. */
    public record PartLag(long amount, Instant at) {}
}
