/** The lives of pipes and of the routes to their sources, on the real store. */
@NullMarked
package io.pilothouse.server.pipes;

import org.jspecify.annotations.NullMarked;
