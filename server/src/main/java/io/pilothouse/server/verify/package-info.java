/** Proofs of backups for operators: what the admin address says of them, and the command that asks it for them. */
@NullMarked
package io.pilothouse.server.verify;

import org.jspecify.annotations.NullMarked;
