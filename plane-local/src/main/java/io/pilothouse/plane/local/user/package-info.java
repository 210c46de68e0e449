/** The users of the machine that databases run as. */
@NullMarked
package io.pilothouse.plane.local.user;

import org.jspecify.annotations.NullMarked;
