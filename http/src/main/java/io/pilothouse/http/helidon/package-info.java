/** The only room that knows Helidon: listeners, limits and slow clients. */
@NullMarked
package io.pilothouse.http.helidon;

import org.jspecify.annotations.NullMarked;
