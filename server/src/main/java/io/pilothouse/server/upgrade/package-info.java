/** When services are looked over for another version of ClickHouse. */
@NullMarked
package io.pilothouse.server.upgrade;

import org.jspecify.annotations.NullMarked;
