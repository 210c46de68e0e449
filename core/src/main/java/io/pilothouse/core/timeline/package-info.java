/** Why a service is in its state: what was asked for, what the engine saw and did, and what is being waited for. */
@NullMarked
package io.pilothouse.core.timeline;

import org.jspecify.annotations.NullMarked;
