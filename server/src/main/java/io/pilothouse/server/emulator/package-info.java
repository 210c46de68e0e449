/** The emulator's controls at work, and the command that drives them. */
@NullMarked
package io.pilothouse.server.emulator;

import org.jspecify.annotations.NullMarked;
