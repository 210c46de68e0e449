/** The words that every other room speaks: rows, trees, faults and the rule book. Imports nothing of ours. */
@NullMarked
package io.pilothouse.core.base;

import org.jspecify.annotations.NullMarked;
