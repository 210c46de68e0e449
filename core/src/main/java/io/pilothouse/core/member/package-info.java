/** The people of an organization, and those it has invited. */
@NullMarked
package io.pilothouse.core.member;

import org.jspecify.annotations.NullMarked;
