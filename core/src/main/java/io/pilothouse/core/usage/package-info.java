/** What services use, and what that costs. */
@NullMarked
package io.pilothouse.core.usage;

import org.jspecify.annotations.NullMarked;
