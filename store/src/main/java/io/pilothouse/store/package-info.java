/** The store port over JDBC: documents, tasks and kept answers, in SQLite for one process and in PostgreSQL beyond. */
@NullMarked
package io.pilothouse.store;

import org.jspecify.annotations.NullMarked;
