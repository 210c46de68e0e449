/** The text format in which Prometheus reads metrics. */
@NullMarked
package io.pilothouse.http.metrics;

import org.jspecify.annotations.NullMarked;
