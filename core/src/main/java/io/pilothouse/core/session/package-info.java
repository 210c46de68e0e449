/** Who is signed in to the console. */
@NullMarked
package io.pilothouse.core.session;

import org.jspecify.annotations.NullMarked;
