/** Which version of ClickHouse each service runs on, and how it comes to another one. */
@NullMarked
package io.pilothouse.core.upgrade;

import org.jspecify.annotations.NullMarked;
