/** The vault, hashes, signatures, and generated passwords and tokens. */
@NullMarked
package io.pilothouse.core.secret;

import org.jspecify.annotations.NullMarked;
