/** Work on folders that must survive a crash. */
@NullMarked
package io.pilothouse.plane.local.disk;

import org.jspecify.annotations.NullMarked;
