/** Quotas: how much of something an organization may have. */
@NullMarked
package io.pilothouse.core.quota;

import org.jspecify.annotations.NullMarked;
