/** Roles: those that every organization has, and its own with their policies. */
@NullMarked
package io.pilothouse.core.role;

import org.jspecify.annotations.NullMarked;
