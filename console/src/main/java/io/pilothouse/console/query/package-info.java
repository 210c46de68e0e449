/** What people who run SQL in the console have at hand: what runs, what they ran, and what was sent already. */
@NullMarked
package io.pilothouse.console.query;

import org.jspecify.annotations.NullMarked;
