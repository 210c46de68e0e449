package io.pilothouse.core.pipe;

import io.pilothouse.core.base.Tree;
import org.jspecify.annotations.Nullable;

/**
 * A request for a pipe as it was read: the parts that depend on its kind are still trees; null is "not given".
 * {@code validatesSamples} asks that records of the source are tried first.
 */
public record PipeDraft(
        @Nullable String name,
        Tree.@Nullable Members source,
        Tree.@Nullable Members destination,
        Tree.@Nullable Items fieldMappings,
        Tree.@Nullable Members settings,
        PipeScaling.@Nullable Change scaling,
        @Nullable Boolean startPaused,
        boolean validatesSamples) {
    /** One that trusts its source. */
    public PipeDraft(
            @Nullable String name,
            Tree.@Nullable Members source,
            Tree.@Nullable Members destination,
            Tree.@Nullable Items fieldMappings,
            Tree.@Nullable Members settings,
            PipeScaling.@Nullable Change scaling,
            @Nullable Boolean startPaused) {
        this(name, source, destination, fieldMappings, settings, scaling, startPaused, false);
    }
}
