/** Alerts and dashboards: rules, evaluation, state, and the messages that they queue. */
@NullMarked
package io.pilothouse.core.alert;

import org.jspecify.annotations.NullMarked;
