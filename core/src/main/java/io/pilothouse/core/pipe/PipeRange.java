package io.pilothouse.core.pipe;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How far a pipe has read one part of its source, a partition or a file: everything before {@code mark} is in its table
 * for good, and what lies between {@code mark} and {@code pendingTo} may be there already. Written under the
 * {@code epoch} of the workers that were started last. {@code identity} is what the range was when it was first
 * claimed: which version of a file, or the places in the source whose names are no numbers.
 */
public record PipeRange(
        Head head, String part, long mark, @Nullable Long pendingTo, String identity, long epoch) implements Stored {
    /** Owner: the pipe. */
    public static final Kind<PipeRange> KIND = new Kind<>("pipe_ranges", PipeRange.class);

    /** The part whose row holds the epoch of the pipe. */
    static final String WHOLE = "";

    /** The id follows from the part, so that it is found without an index of its own. */
    public static UUID id(UUID pipeId, String part) {
        return UUID.nameUUIDFromBytes((pipeId + "/" + part).getBytes(StandardCharsets.UTF_8));
    }

    static PipeRange first(UUID pipeId, String part, String identity, long mark, long epoch, Instant now) {
        return new PipeRange(Head.of(id(pipeId, part), pipeId, now), part, mark, null, identity, epoch);
    }

    /** A range that is pending already stays what it was. */
    PipeRange pending(long to, String claimed, long underEpoch) {
        return new PipeRange(head, part, mark, to, pendingTo == null ? claimed : identity, underEpoch);
    }

    /** Once more, and to another place. */
    PipeRange sought(String place) {
        return new PipeRange(head, part, mark + 1, null, place, epoch);
    }

    PipeRange done(long to, long underEpoch) {
        return new PipeRange(head, part, to, null, identity, underEpoch);
    }
}
