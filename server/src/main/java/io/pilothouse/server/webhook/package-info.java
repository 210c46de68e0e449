/** Sends messages to receivers, and only to addresses that may be reached. */
@NullMarked
package io.pilothouse.server.webhook;

import org.jspecify.annotations.NullMarked;
