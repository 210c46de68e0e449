/** What core needs from outside, whatever the thing: the store, its tables and tasks, the clock, a nudge. */
@NullMarked
package io.pilothouse.core.port;

import org.jspecify.annotations.NullMarked;
