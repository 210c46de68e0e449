/** Makes what is wanted so: due tasks, passes and one pure plan per resource. */
@NullMarked
package io.pilothouse.core.engine;

import org.jspecify.annotations.NullMarked;
