/** The machines that have databases, where several share a store: which there are, which answer, and which has room. */
@NullMarked
package io.pilothouse.core.host;

import org.jspecify.annotations.NullMarked;
