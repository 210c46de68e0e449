@NullMarked
package io.pilothouse.server.store;

import org.jspecify.annotations.NullMarked;
