/** Reads topics of Kafka and what speaks its protocol. */
@NullMarked
package io.pilothouse.pipes.worker.kafka;

import org.jspecify.annotations.NullMarked;
