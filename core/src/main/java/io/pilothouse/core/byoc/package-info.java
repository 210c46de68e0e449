/** Bring your own cloud: the regions of their own accounts in which organizations have services. */
@NullMarked
package io.pilothouse.core.byoc;

import org.jspecify.annotations.NullMarked;
