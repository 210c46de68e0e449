/** Files that only their owner may read, and the walk that puts what is sealed in the store under a new key. */
@NullMarked
package io.pilothouse.server.secret;

import org.jspecify.annotations.NullMarked;
