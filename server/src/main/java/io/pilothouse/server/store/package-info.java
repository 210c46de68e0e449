/** Which store the program works on, by its configuration. */
@NullMarked
package io.pilothouse.server.store;

import org.jspecify.annotations.NullMarked;
