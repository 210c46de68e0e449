package io.pilothouse.core.alert;

import io.pilothouse.core.base.Head;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * The alerts that every organization has from its creation on. They notify the organization's own history, which needs
 * no receiver; clients may redirect or silence them, but not delete them.
 */
public final class AlertBuiltIns {
    private AlertBuiltIns() {}

    /** All of them for one organization, whose ids follow from its own. */
    public static List<Alert> all(UUID organizationId, Instant now) {
        return List.of(
                alert(
                        organizationId,
                        now,
                        "A service is failed or degraded",
                        DashboardBuiltIns.SERVICES,
                        DashboardBuiltIns.SERVICES_FAILING),
                alert(
                        organizationId,
                        now.plusNanos(1),
                        "A pipe is failed or degraded",
                        DashboardBuiltIns.PIPES,
                        DashboardBuiltIns.PIPES_FAILING),
                alert(
                        organizationId,
                        now.plusNanos(2),
                        "A task keeps failing",
                        DashboardBuiltIns.CONTROL_PLANE,
                        DashboardBuiltIns.TASKS_FAILING),
                alert(
                        organizationId,
                        now.plusNanos(3),
                        "Requests are answered with 5xx",
                        DashboardBuiltIns.CONTROL_PLANE,
                        DashboardBuiltIns.REQUESTS_FAILING));
    }

    private static Alert alert(UUID organizationId, Instant createdAt, String name, UUID dashboardId, String tileId) {
        AlertSchedule schedule = new AlertSchedule(AlertInterval.FIVE_MINUTES, 0, null);
        AlertThreshold threshold = new AlertThreshold(AlertThreshold.Type.ABOVE, 1, null);
        AlertRule rule = new AlertRule(
                name,
                "",
                null,
                threshold,
                schedule,
                null,
                dashboardId,
                tileId,
                List.of(new AlertChannel.ToActivities()));
        UUID id = UUID.nameUUIDFromBytes((organizationId + "|" + tileId).getBytes(StandardCharsets.UTF_8));
        AlertWatch watch = AlertWatch.from(schedule.begin(createdAt));
        return new Alert(Head.of(id, organizationId, createdAt), createdAt, true, rule, null, watch);
    }
}
