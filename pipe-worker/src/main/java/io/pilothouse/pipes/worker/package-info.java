/** The program of a pipe's worker. */
@NullMarked
package io.pilothouse.pipes.worker;

import org.jspecify.annotations.NullMarked;
