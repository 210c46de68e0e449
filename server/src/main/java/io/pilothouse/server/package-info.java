/** The one place where the rooms are joined: the program, its configuration and its wiring. */
@NullMarked
package io.pilothouse.server;

import org.jspecify.annotations.NullMarked;
