/** Pipes that move data: each replica of a pipe is a child process, started, watched and ended here. */
@NullMarked
package io.pilothouse.pipes;

import org.jspecify.annotations.NullMarked;
