package io.pilothouse.core.alert;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A dashboard as it was requested; null means not given. */
public record DashboardDraft(
        @Nullable String name,
        @Nullable List<String> tags,
        @Nullable List<TileDraft> tiles) {

    /** A tile as it was requested. */
    public record TileDraft(
            @Nullable String id,
            @Nullable String name,
            @Nullable Double x,
            @Nullable Double y,
            @Nullable Double w,
            @Nullable Double h,
            @Nullable ConfigDraft config) {}

    /** The content of a tile, as it was requested. */
    public record ConfigDraft(
            @Nullable String displayType,
            @Nullable String metric,
            @Nullable String aggregation,
            @Nullable Map<String, String> filter,
            @Nullable String groupBy) {}
}
