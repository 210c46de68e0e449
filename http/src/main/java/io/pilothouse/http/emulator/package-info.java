/** The controls of the emulator over HTTP: each operation with the command line that asks for it. */
@NullMarked
package io.pilothouse.http.emulator;

import org.jspecify.annotations.NullMarked;
