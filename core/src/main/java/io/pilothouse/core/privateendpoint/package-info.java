/** Private endpoints of services, which their organizations know too. */
@NullMarked
package io.pilothouse.core.privateendpoint;

import org.jspecify.annotations.NullMarked;
