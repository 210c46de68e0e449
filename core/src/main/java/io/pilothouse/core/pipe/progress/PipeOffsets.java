package io.pilothouse.core.pipe.progress;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a pipe is in each partition of its source. {@code seek} is where those begin that it has not begun since it
 * was sent there.
 */
public record PipeOffsets(@Nullable String seek, List<Partition> partitions) {
    public PipeOffsets {
        partitions = List.copyOf(partitions);
    }

    /**
     * One partition: everything before {@code offset} was read. There is none while the pipe has yet to find the place
     * that {@code seek} names. The lag is what a worker last reported.
     */
    public record Partition(
            String partition,
            @Nullable Long offset,
            @Nullable String seek,
            @Nullable PartLag lag) {}

    /** How many records were yet to be read, and when that was said. */
    public record PartLag(long records, Instant at) {}
}
