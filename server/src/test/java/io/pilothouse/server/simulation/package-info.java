/** Simulated lives of the whole control plane over the real store. */
@NullMarked
package io.pilothouse.server.simulation;

import org.jspecify.annotations.NullMarked;
