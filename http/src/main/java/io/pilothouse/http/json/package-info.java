/** JSON in and out, with every fault of a body. */
@NullMarked
package io.pilothouse.http.json;

import org.jspecify.annotations.NullMarked;
