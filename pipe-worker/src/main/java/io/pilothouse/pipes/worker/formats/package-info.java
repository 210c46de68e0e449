/** How the messages of a stream are written, and how they become rows of JSON. */
@NullMarked
package io.pilothouse.pipes.worker.formats;

import org.jspecify.annotations.NullMarked;
