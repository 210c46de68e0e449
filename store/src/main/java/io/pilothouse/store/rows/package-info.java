/** How each kind of thing becomes a row with a document, and comes back; knows nothing of SQL. */
@NullMarked
package io.pilothouse.store.rows;

import org.jspecify.annotations.NullMarked;
