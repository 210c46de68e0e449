/** Items: small things of an organization, each kind described once. */
@NullMarked
package io.pilothouse.core.item;

import org.jspecify.annotations.NullMarked;
