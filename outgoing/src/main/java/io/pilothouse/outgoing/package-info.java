/** How this program asks other servers over HTTP: one client, and the only room that knows the library behind it. */
@NullMarked
package io.pilothouse.outgoing;

import org.jspecify.annotations.NullMarked;
