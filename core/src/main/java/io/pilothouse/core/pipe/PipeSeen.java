package io.pilothouse.core.pipe;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The last observation of a pipe, written by the engine only: its phase, which generation of its configuration and
 * which resync it has taken up, and a sentence when something is wrong.
 */
public record PipeSeen(
        PipePhase phase,
        int generation,
        int resyncs,
        @Nullable String trouble,
        Instant since) {
    public static PipeSeen nothingYet(Instant now) {
        return new PipeSeen(PipePhase.ABSENT, 0, 0, null, now);
    }

    PipeSeen withTrouble(@Nullable String sentence) {
        return new PipeSeen(phase, generation, resyncs, sentence, since);
    }
}
