/** The timeline of a service over HTTP. */
@NullMarked
package io.pilothouse.http.api.timeline;

import org.jspecify.annotations.NullMarked;
