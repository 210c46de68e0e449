/** Services: their records, rules, operations, plan and pass, and the data plane that runs them. */
@NullMarked
package io.pilothouse.core.service;

import org.jspecify.annotations.NullMarked;
