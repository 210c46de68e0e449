package io.pilothouse.core.metric;

import java.time.Instant;

/** A stretch of time that a tile is read over: {@code from} belongs to it, {@code to} to the next one. */
public record MetricWindow(Instant from, Instant to) {}
