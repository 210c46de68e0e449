/** What the control plane knows of itself, in numbers that alerts and dashboards read. */
@NullMarked
package io.pilothouse.core.metric;

import org.jspecify.annotations.NullMarked;
