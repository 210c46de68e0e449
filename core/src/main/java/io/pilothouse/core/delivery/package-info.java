/** How the messages of alerts reach their webhooks, and the verbs of webhooks. */
@NullMarked
package io.pilothouse.core.delivery;

import org.jspecify.annotations.NullMarked;
