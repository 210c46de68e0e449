/** Where keys are kept, files that only their owner may read, and the walks that put what is sealed or hashed in the store under a new key. */
@NullMarked
package io.pilothouse.server.secret;

import org.jspecify.annotations.NullMarked;
