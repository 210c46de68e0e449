@NullMarked
package io.pilothouse.server.host;

import org.jspecify.annotations.NullMarked;
