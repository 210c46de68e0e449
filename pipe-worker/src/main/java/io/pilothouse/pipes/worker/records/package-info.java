/** Inserts the records of a stream, whatever the stream is: in batches, each under a token that follows from its range. */
@NullMarked
package io.pilothouse.pipes.worker.records;

import org.jspecify.annotations.NullMarked;
