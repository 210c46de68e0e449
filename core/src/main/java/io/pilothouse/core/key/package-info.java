/** Keys of the API, tokens of the alerts interface, and answers kept for idempotency keys. */
@NullMarked
package io.pilothouse.core.key;

import org.jspecify.annotations.NullMarked;
