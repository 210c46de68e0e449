/** Services, backups and pipes without anything behind them. */
@NullMarked
package io.pilothouse.plane.simulated;

import org.jspecify.annotations.NullMarked;
