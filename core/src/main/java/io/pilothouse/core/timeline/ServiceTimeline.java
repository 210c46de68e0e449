package io.pilothouse.core.timeline;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.service.ServiceState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a service is in its state: one sentence, when it is looked at next, and what happened, newest first. What the
 * engine did before {@code engineSince} may be missing.
 */
public record ServiceTimeline(
        ServiceState state, Sentence waiting, @Nullable Instant nextLook, Instant engineSince, List<Line> lines) {
    public ServiceTimeline {
        lines = List.copyOf(lines);
    }

    /** One thing that happened. */
    public sealed interface Line {
        Instant at();

        /** Something that was asked for, or that the engine keeps in the organization's history. */
        record Kept(Activity activity) implements Line {
            @Override
            public Instant at() {
                return activity.createdAt();
            }
        }

        /** Something that this process saw or did. */
        record Engine(Happening happening) implements Line {
            @Override
            public Instant at() {
                return happening.until();
            }
        }
    }
}
