/** The lives of backups in a real store: what is made, kept and dropped wherever the process dies. */
@NullMarked
package io.pilothouse.server.backups;

import org.jspecify.annotations.NullMarked;
