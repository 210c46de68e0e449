/** Processes of the machine: which of them is a service's database, and whether it lives. */
@NullMarked
package io.pilothouse.plane.local.process;

import org.jspecify.annotations.NullMarked;
