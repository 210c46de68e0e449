package io.pilothouse.core.engine;

import io.pilothouse.core.port.Tasks.Claim;

/** Handles one claimed task; it gives the task back itself, and may die anywhere and be run again. */
@FunctionalInterface
public interface Pass {
    void run(Claim claim);
}
