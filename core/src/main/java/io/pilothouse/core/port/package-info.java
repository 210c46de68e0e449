/** What core needs from outside (store, data plane, clock, wake), stated with every failure. */
@NullMarked
package io.pilothouse.core.port;

import org.jspecify.annotations.NullMarked;
