/** Finds what is due and has it worked on: the dispatcher, its pace, its limits. */
@NullMarked
package io.pilothouse.core.engine;

import org.jspecify.annotations.NullMarked;
