/** Webhooks: receivers of messages, their rules and secrets. */
@NullMarked
package io.pilothouse.core.webhook;

import org.jspecify.annotations.NullMarked;
