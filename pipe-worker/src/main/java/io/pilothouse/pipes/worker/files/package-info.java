/** Files of object storage: found by listing, and read by the database itself. */
@NullMarked
package io.pilothouse.pipes.worker.files;

import org.jspecify.annotations.NullMarked;
