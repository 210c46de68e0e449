/** The listeners: bytes in, an operation of core in the middle, bytes out; only this package knows the HTTP server. */
@NullMarked
package io.pilothouse.http;

import org.jspecify.annotations.NullMarked;
