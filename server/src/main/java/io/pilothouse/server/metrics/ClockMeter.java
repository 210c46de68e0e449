package io.pilothouse.server.metrics;

import io.pilothouse.core.port.Clock;
import io.pilothouse.http.metrics.MetricsText;

/** Shows by how much the program's time is not that of its machine. */
public record ClockMeter(Clock clock) {
    public void write(MetricsText text) {
        text.single(
                "pilothouse_clock_behind_seconds",
                MetricsText.Kind.GAUGE,
                "How far the clock of this machine is ahead since it jumped; it is not followed yet.",
                MetricsText.seconds(clock.behind().toNanos()));
    }
}
