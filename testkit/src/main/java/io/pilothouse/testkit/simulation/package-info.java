/** A whole control plane on one thread, in simulated time, with faults at every port: everything follows from a seed. */
@NullMarked
package io.pilothouse.testkit.simulation;

import org.jspecify.annotations.NullMarked;
