/** The outside of a worker: its parent, its database, and what may go wrong with them and with a source. */
@NullMarked
package io.pilothouse.pipes.worker.outside;

import org.jspecify.annotations.NullMarked;
