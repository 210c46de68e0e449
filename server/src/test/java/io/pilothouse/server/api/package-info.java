/** Tests of the whole program over its sockets: every row and sentence of the contract, every right, and hostile bytes. */
@NullMarked
package io.pilothouse.server.api;

import org.jspecify.annotations.NullMarked;
