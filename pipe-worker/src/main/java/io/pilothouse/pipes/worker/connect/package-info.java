/** Workers as tasks of Kafka Connect. */
@NullMarked
package io.pilothouse.pipes.worker.connect;

import org.jspecify.annotations.NullMarked;
