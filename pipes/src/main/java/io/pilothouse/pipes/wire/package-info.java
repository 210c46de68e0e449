/** What the control plane and its pipe workers say to each other. */
@NullMarked
package io.pilothouse.pipes.wire;

import org.jspecify.annotations.NullMarked;
