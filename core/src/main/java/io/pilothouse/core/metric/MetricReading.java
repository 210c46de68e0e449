package io.pilothouse.core.metric;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a tile shows over one window. */
public sealed interface MetricReading {
    /** The name of the one group of a tile that has no groups. */
    String WHOLE = "";

    /**
     * A value for each group that is there, the whole tile being one when it has no groups. A group that is not there has
     * nothing left to tell of: what it was about is gone. {@code complete} is false when there were more groups than are
     * looked at.
     */
    record Values(Map<String, Double> byGroup, boolean complete) implements MetricReading {
        public Values {
            byGroup = Collections.unmodifiableMap(new LinkedHashMap<>(byGroup));
        }
    }

    /** Nothing was measured, which is not the same as zero. */
    record Nothing() implements MetricReading {}
}
