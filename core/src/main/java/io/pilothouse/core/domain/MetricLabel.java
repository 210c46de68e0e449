package io.pilothouse.core.domain;

import java.util.UUID;

/**
 * The text under which the store counts things of one organization in one state, so that counting never reads the
 * things themselves; things in trouble are counted apart.
 */
public record MetricLabel(UUID organizationId, String state, boolean trouble) {
    public static MetricLabel of(Service service) {
        return new MetricLabel(
                service.organizationId(), service.state().word(), service.seen().trouble() != null);
    }

    public static MetricLabel of(Pipe pipe) {
        return new MetricLabel(
                pipe.organizationId(), pipe.state().word(), pipe.seen().trouble() != null);
    }

    public String text() {
        return organizationId + ":" + state + (trouble ? "!" : "");
    }
}
