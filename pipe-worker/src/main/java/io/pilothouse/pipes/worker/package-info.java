/** The program of a pipe's worker, and what every source needs: its parent, and its database. */
@NullMarked
package io.pilothouse.pipes.worker;

import org.jspecify.annotations.NullMarked;
