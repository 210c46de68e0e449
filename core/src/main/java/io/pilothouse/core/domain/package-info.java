/** The nouns and rules of the contract: records, enums and pure functions that import nothing of ours. */
@NullMarked
package io.pilothouse.core.domain;

import org.jspecify.annotations.NullMarked;
