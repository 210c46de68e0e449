/** Measures the built program against limits of the same machine in the same run. */
@NullMarked
package io.pilothouse.bench;

import org.jspecify.annotations.NullMarked;
