/** The store on its two databases: the contract that both keep, and what is each one's own. */
@NullMarked
package io.pilothouse.store;

import org.jspecify.annotations.NullMarked;
