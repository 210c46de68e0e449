/** Query endpoints: which keys may run SQL in a service over HTTP, and with which rights. */
@NullMarked
package io.pilothouse.core.query;

import org.jspecify.annotations.NullMarked;
