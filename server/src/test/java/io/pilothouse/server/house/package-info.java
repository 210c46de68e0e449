/** The rules of the house that no compiler holds, as tests over every class and every source file. */
@NullMarked
package io.pilothouse.server.house;

import org.jspecify.annotations.NullMarked;
