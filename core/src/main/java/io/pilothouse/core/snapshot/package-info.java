/** Snapshots of organizations and of the whole server: taken, gone back to, and copied into organizations of their own. */
@NullMarked
package io.pilothouse.core.snapshot;

import org.jspecify.annotations.NullMarked;
