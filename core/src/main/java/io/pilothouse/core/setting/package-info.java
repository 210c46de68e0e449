/** Settings of ClickHouse that a service asks for: which there are, what their values may be, and the verbs. */
@NullMarked
package io.pilothouse.core.setting;

import org.jspecify.annotations.NullMarked;
