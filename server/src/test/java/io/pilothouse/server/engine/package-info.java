/** The engine over the real store, on a plane and a clock that tests hold in their hands. */
@NullMarked
package io.pilothouse.server.engine;

import org.jspecify.annotations.NullMarked;
