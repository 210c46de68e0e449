/** The measurements that have to reach inside the listeners. */
@NullMarked
package io.pilothouse.http;

import org.jspecify.annotations.NullMarked;
