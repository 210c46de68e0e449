/** What the data of each service may take of the disk. */
@NullMarked
package io.pilothouse.plane.local.share;

import org.jspecify.annotations.NullMarked;
