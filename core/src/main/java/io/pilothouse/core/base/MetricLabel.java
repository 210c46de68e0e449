package io.pilothouse.core.base;

import java.util.UUID;

/**
 * The text under which the store counts things of one organization in one state, so that counting never reads the
 * things themselves; things in trouble are counted apart.
 */
public record MetricLabel(UUID organizationId, String state, boolean trouble) {
    public String text() {
        return organizationId + ":" + state + (trouble ? "!" : "");
    }
}
