/** What pipes make and keep in the databases of services: their tables, and those beside them. */
@NullMarked
package io.pilothouse.pipes.tables;

import org.jspecify.annotations.NullMarked;
