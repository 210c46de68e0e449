package io.pilothouse.core.alert;

import io.pilothouse.core.base.Head;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The alerts that every organization has from its creation on. They notify the organization's own history, which needs
 * no receiver; clients may redirect or silence them, but not delete them.
 */
public final class AlertBuiltIns {
    private static final int BEHIND_SECONDS = 15 * 60;
    private static final int LOSING_PERCENT = 1;
    /** Half of what a pipe is shown as degraded for. */
    private static final int SLOT_MEBIBYTES = 5 * 1024;

    /** What one of them watches, and from which value on it fires. */
    private record BuiltIn(String name, UUID dashboardId, String tileId, double threshold) {}

    private static final List<BuiltIn> ALL = List.of(
            new BuiltIn(
                    "A service is failed or degraded",
                    DashboardBuiltIns.SERVICES,
                    DashboardBuiltIns.SERVICES_FAILING,
                    1),
            new BuiltIn("A pipe is failed or degraded", DashboardBuiltIns.PIPES, DashboardBuiltIns.PIPES_FAILING, 1),
            new BuiltIn("A task keeps failing", DashboardBuiltIns.CONTROL_PLANE, DashboardBuiltIns.TASKS_FAILING, 1),
            new BuiltIn(
                    "Requests are answered with 5xx",
                    DashboardBuiltIns.CONTROL_PLANE,
                    DashboardBuiltIns.REQUESTS_FAILING,
                    1),
            new BuiltIn(
                    "A pipe is 15 minutes behind its source",
                    DashboardBuiltIns.PIPES,
                    DashboardBuiltIns.PIPES_BEHIND,
                    BEHIND_SECONDS),
            new BuiltIn(
                    "A pipe cannot ingest some of its records",
                    DashboardBuiltIns.PIPES,
                    DashboardBuiltIns.PIPES_LOSING,
                    LOSING_PERCENT),
            new BuiltIn(
                    "A source keeps 5 GiB of its log for a pipe",
                    DashboardBuiltIns.PIPES,
                    DashboardBuiltIns.PIPES_SLOTS,
                    SLOT_MEBIBYTES));

    private AlertBuiltIns() {}

    /** All of them for one organization, whose ids follow from its own. */
    public static List<Alert> all(UUID organizationId, Instant now) {
        // A moment apart, so that they are listed in this order.
        return IntStream.range(0, ALL.size())
                .mapToObj(number -> alert(organizationId, now.plusNanos(number), ALL.get(number)))
                .toList();
    }

    private static Alert alert(UUID organizationId, Instant createdAt, BuiltIn of) {
        AlertSchedule schedule = new AlertSchedule(AlertInterval.FIVE_MINUTES, 0, null);
        AlertThreshold threshold = new AlertThreshold(AlertThreshold.Type.ABOVE, of.threshold(), null);
        AlertRule rule = new AlertRule(
                of.name(),
                "",
                null,
                threshold,
                schedule,
                null,
                of.dashboardId(),
                of.tileId(),
                List.of(new AlertChannel.ToActivities()));
        AlertWatch watch = AlertWatch.from(schedule.begin(createdAt));
        Head head = Head.of(idOf(organizationId, of.tileId()), organizationId, createdAt);
        return new Alert(head, createdAt, true, rule, null, watch);
    }

    /** The id of the built-in alert about this tile in an organization. */
    public static UUID idOf(UUID organizationId, String tileId) {
        return UUID.nameUUIDFromBytes((organizationId + "|" + tileId).getBytes(StandardCharsets.UTF_8));
    }
}
