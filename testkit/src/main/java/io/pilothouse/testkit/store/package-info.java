/** The contract that every store must keep. */
@NullMarked
package io.pilothouse.testkit.store;

import org.jspecify.annotations.NullMarked;
