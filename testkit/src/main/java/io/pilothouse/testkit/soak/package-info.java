/** The real program under clients that never rest, and under kills at any moment: a walk from a seed. */
@NullMarked
package io.pilothouse.testkit.soak;

import org.jspecify.annotations.NullMarked;
