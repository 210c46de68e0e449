/** The gate, the route table, credentials, answers and errors, whatever the server below. */
@NullMarked
package io.pilothouse.http.wire;

import org.jspecify.annotations.NullMarked;
