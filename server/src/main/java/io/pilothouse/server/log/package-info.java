/** The log, in text or JSON. */
@NullMarked
package io.pilothouse.server.log;

import org.jspecify.annotations.NullMarked;
