/** How commands reach the program that runs on this machine. */
@NullMarked
package io.pilothouse.server.client;

import org.jspecify.annotations.NullMarked;
