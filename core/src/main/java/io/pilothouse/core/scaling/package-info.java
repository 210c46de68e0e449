/** How large a service may be and when it sleeps: the values, and the rules that they keep. */
@NullMarked
package io.pilothouse.core.scaling;

import org.jspecify.annotations.NullMarked;
