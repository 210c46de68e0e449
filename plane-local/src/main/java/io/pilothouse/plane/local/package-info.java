/** ClickHouse as local processes, and the gateway that is the only door to them. */
@NullMarked
package io.pilothouse.plane.local;

import org.jspecify.annotations.NullMarked;
