/** Rows that were read recently, found again without a query and never a commit behind; knows nothing of SQL. */
@NullMarked
package io.pilothouse.store.recent;

import org.jspecify.annotations.NullMarked;
