/** Reads tables of PostgreSQL. */
@NullMarked
package io.pilothouse.pipes.worker.postgres;

import org.jspecify.annotations.NullMarked;
