/** The five verbs of an item of any kind. */
@NullMarked
package io.pilothouse.server.items;

import org.jspecify.annotations.NullMarked;
