/** Faults on demand: what the emulator was asked to let go wrong, for requests and for services, and what it struck. */
@NullMarked
package io.pilothouse.core.injection;

import org.jspecify.annotations.NullMarked;
