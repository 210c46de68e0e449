/** The order in which databases start, and how many there may be. */
@NullMarked
package io.pilothouse.plane.local.turn;

import org.jspecify.annotations.NullMarked;
