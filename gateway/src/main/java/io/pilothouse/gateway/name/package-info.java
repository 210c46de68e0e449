/** Which service a client asks for, by the name in its TLS hello. */
@NullMarked
package io.pilothouse.gateway.name;

import org.jspecify.annotations.NullMarked;
