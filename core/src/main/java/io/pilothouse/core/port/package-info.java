/** The ports that core needs, for every kind of thing: the store, its tables and tasks, the clock, a nudge. */
@NullMarked
package io.pilothouse.core.port;

import org.jspecify.annotations.NullMarked;
