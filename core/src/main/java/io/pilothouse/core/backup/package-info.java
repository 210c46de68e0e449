/** Backups of services: their records, rules, operations, plan and pass, and the port that makes them. */
@NullMarked
package io.pilothouse.core.backup;

import org.jspecify.annotations.NullMarked;
