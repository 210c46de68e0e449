/** Every option, where its value comes from, and what is wrong with it. */
@NullMarked
package io.pilothouse.server.config;

import org.jspecify.annotations.NullMarked;
