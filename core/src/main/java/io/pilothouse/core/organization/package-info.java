/** Organizations: the tenants that everything else belongs to. */
@NullMarked
package io.pilothouse.core.organization;

import org.jspecify.annotations.NullMarked;
