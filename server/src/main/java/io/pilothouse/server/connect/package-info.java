/** A cluster of Kafka Connect that runs pipes: its REST interface, and the door for its tasks. */
@NullMarked
package io.pilothouse.server.connect;

import org.jspecify.annotations.NullMarked;
