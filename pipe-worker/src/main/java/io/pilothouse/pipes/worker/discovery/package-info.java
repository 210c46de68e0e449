/** A look at a source: which fields its records have. */
@NullMarked
package io.pilothouse.pipes.worker.discovery;

import org.jspecify.annotations.NullMarked;
