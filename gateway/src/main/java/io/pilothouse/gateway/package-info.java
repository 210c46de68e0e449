/** The one door to every database: access lists, waking, HTTP and tunnels. */
@NullMarked
package io.pilothouse.gateway;

import org.jspecify.annotations.NullMarked;
