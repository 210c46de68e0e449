/** The doors of services: each follows its service's row, whatever plane runs the database behind it. */
@NullMarked
package io.pilothouse.gateway.door;

import org.jspecify.annotations.NullMarked;
