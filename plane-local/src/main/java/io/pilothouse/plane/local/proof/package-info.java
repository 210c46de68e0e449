/** Whether backups can be restored: what a service had, what came back, and which backup is tried now. */
@NullMarked
package io.pilothouse.plane.local.proof;

import org.jspecify.annotations.NullMarked;
