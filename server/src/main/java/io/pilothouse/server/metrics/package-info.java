/** What is measured of requests, the engine, the store and the JVM, and how it is shown. */
@NullMarked
package io.pilothouse.server.metrics;

import org.jspecify.annotations.NullMarked;
