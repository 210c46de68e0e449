/** Says to another program that this one is up, and how to reach it. */
@NullMarked
package io.pilothouse.server.ready;

import org.jspecify.annotations.NullMarked;
