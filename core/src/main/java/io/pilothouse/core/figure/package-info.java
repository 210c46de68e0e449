/** What the databases of services say about themselves, for those who watch them. */
@NullMarked
package io.pilothouse.core.figure;

import org.jspecify.annotations.NullMarked;
