/** How far pipes are, and what they have moved. */
@NullMarked
package io.pilothouse.core.pipe.progress;

import org.jspecify.annotations.NullMarked;
