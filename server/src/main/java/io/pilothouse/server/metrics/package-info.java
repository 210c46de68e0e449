/** Measurements of requests, the engine, the store and the JVM, and their presentation. */
@NullMarked
package io.pilothouse.server.metrics;

import org.jspecify.annotations.NullMarked;
