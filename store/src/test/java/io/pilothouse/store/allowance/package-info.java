@NullMarked
package io.pilothouse.store.allowance;

import org.jspecify.annotations.NullMarked;
