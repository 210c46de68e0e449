package io.pilothouse.core.metric;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The values of a tile over one window. */
public sealed interface MetricReading {
    /** The name of the one group of a tile that has no groups. */
    String WHOLE = "";

    /**
     * A value for each present group; a tile without groups is one group. An absent group has ended: the things it
     * counted no longer exist. {@code complete} is false if there were more groups than are read.
     */
    record Values(Map<String, Double> byGroup, boolean complete) implements MetricReading {
        public Values {
            byGroup = Collections.unmodifiableMap(new LinkedHashMap<>(byGroup));
        }
    }

    /** Nothing was measured, which is not the same as zero. */
    record Nothing() implements MetricReading {}
}
