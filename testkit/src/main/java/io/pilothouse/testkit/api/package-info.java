/** Drives the API over a socket and holds every exchange against the document. */
@NullMarked
package io.pilothouse.testkit.api;

import org.jspecify.annotations.NullMarked;
