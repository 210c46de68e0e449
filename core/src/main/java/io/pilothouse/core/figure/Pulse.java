package io.pilothouse.core.figure;

import java.util.Map;

/** How a running database was in one minute; what is not known of it is left out. */
public record Pulse(Map<Vital, Double> values) {
    public Pulse {
        values = Map.copyOf(values);
    }

    float value(Vital vital) {
        return values.getOrDefault(vital, Double.NaN).floatValue();
    }
}
