/** Stores of objects elsewhere: files go to them and come back, over the one way out that checks every address. */
@NullMarked
package io.pilothouse.plane.local.bucket;

import org.jspecify.annotations.NullMarked;
