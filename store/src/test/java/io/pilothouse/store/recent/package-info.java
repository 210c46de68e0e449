@NullMarked
package io.pilothouse.store.recent;

import org.jspecify.annotations.NullMarked;
