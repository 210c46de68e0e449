/** Who may do what: callers, permits, permissions and roles. */
@NullMarked
package io.pilothouse.core.right;

import org.jspecify.annotations.NullMarked;
