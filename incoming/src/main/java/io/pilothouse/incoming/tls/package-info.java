/** A certificate authority of our own, and the server side of TLS. */
@NullMarked
package io.pilothouse.incoming.tls;

import org.jspecify.annotations.NullMarked;
