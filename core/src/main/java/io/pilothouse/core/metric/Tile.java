package io.pilothouse.core.metric;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One picture on a dashboard: where it is, and the numbers it shows, which alerts may watch. */
public record Tile(String id, String name, int x, int y, int w, int h, Config config) {

    /** The content of a tile: a metric, cut down by a filter and split into groups. */
    public record Config(
            String displayType,
            Metric metric,
            Metric.Aggregation aggregation,
            Map<String, String> filter,
            @Nullable String groupBy) {
        public Config {
            filter = Collections.unmodifiableMap(new TreeMap<>(filter));
        }

        /** The words that a filter lets through, or all if it names none; for a dimension of words. */
        public List<String> wanted(String dimension) {
            String given = filter.get(dimension);
            if (given == null) {
                return metric.dimension(dimension).orElseThrow().words();
            }
            return Arrays.stream(given.split(",", -1)).map(String::strip).toList();
        }
    }
}
