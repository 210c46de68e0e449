/** The ClickHouse that npm brings: fetched, fenced and run in a child JVM. */
@NullMarked
package io.pilothouse.plane.local.bundled;

import org.jspecify.annotations.NullMarked;
