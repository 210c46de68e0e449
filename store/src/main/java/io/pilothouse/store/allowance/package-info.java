/** What the processes that share a store count together, beside its transactions. */
@NullMarked
package io.pilothouse.store.allowance;

import org.jspecify.annotations.NullMarked;
