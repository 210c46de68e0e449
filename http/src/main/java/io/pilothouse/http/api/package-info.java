/** The routes of each resource, and how each is shown. */
@NullMarked
package io.pilothouse.http.api;

import org.jspecify.annotations.NullMarked;
