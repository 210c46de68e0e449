/** A disk on which things go wrong: the machine's own files, with faults where a test wants them. */
@NullMarked
package io.pilothouse.testkit.disk;

import org.jspecify.annotations.NullMarked;
