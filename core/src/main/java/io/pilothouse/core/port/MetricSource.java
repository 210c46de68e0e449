package io.pilothouse.core.port;

import io.pilothouse.core.domain.AlertWindow;
import io.pilothouse.core.domain.MetricReading;
import io.pilothouse.core.domain.Tile;
import java.util.UUID;

/**
 * What the control plane knows about itself. A counter is read over the window; a gauge is what it is now. Costs as much
 * as what is counted at most, and never a look at each thing of an organization.
 */
@FunctionalInterface
public interface MetricSource {
    MetricReading read(Tables tables, UUID organizationId, Tile.Config config, AlertWindow window);
}
