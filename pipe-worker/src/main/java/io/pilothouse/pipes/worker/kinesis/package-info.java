/** Reads streams of Kinesis and what speaks its protocol. */
@NullMarked
package io.pilothouse.pipes.worker.kinesis;

import org.jspecify.annotations.NullMarked;
