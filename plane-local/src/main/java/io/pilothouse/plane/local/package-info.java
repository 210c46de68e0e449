/** ClickHouse as processes of this machine, and their backups. */
@NullMarked
package io.pilothouse.plane.local;

import org.jspecify.annotations.NullMarked;
