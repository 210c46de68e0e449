/** Alerts from the thing that goes wrong to the message that arrives, over a real store and a real receiver. */
@NullMarked
package io.pilothouse.server.alerts;

import org.jspecify.annotations.NullMarked;
