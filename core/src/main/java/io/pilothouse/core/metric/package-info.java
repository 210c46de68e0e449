/** The figures of the control plane about itself, that alerts and dashboards read. */
@NullMarked
package io.pilothouse.core.metric;

import org.jspecify.annotations.NullMarked;
