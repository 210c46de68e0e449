/** Snapshots as files. */
@NullMarked
package io.pilothouse.store.snapshot;

import org.jspecify.annotations.NullMarked;
