/** What the engine does, case by case. */
@NullMarked
package io.pilothouse.core.engine;

import org.jspecify.annotations.NullMarked;
