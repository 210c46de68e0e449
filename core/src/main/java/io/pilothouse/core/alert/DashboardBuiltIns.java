package io.pilothouse.core.alert;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.metric.Metric;
import io.pilothouse.core.metric.Tile;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The dashboards that every organization has from its creation on, under ids that never change. */
public final class DashboardBuiltIns {
    static final UUID SERVICES = UUID.fromString("00000000-0000-4000-8000-000000000001");
    static final UUID PIPES = UUID.fromString("00000000-0000-4000-8000-000000000002");
    static final UUID CONTROL_PLANE = UUID.fromString("00000000-0000-4000-8000-000000000003");
    static final String SERVICES_FAILING = "services-failing";
    static final String PIPES_FAILING = "pipes-failing";
    static final String PIPES_BEHIND = "pipes-behind";
    static final String PIPES_LOSING = "pipes-losing";
    static final String PIPES_SLOTS = "pipes-slots";
    static final String REQUESTS_FAILING = "requests-failing";
    static final String TASKS_FAILING = "tasks-failing";

    private static final String PIPE = "pipe";

    private DashboardBuiltIns() {}

    /** All of them for one organization, in the order in which they are listed. */
    public static List<Dashboard> all(UUID organizationId, Instant createdAt) {
        Tile.Config services = gauge("stacked_bar", Metric.SERVICES, Map.of(), "state");
        Tile.Config failedServices = gauge("number", Metric.SERVICES, Map.of("state", "failed,degraded"), "service");
        Tile.Config pipes = gauge("stacked_bar", Metric.PIPES, Map.of(), "state");
        Tile.Config failedPipes = gauge("number", Metric.PIPES, Map.of("state", "Failed,InternalError,Degraded"), PIPE);
        Tile.Config lag = gauge("line", Metric.PIPE_LAG_SECONDS, Map.of(), PIPE);
        Tile.Config errors = gauge("line", Metric.PIPE_ERROR_PERCENT, Map.of(), PIPE);
        Tile.Config slots = gauge("line", Metric.PIPE_SLOT_MIB, Map.of(), PIPE);
        Tile.Config requests = count("stacked_bar", Map.of(), "status");
        Tile.Config failedRequests = count("number", Map.of("status", "5xx"), null);
        Tile.Config tasks = gauge("number", Metric.FAILING_TASKS, Map.of(), null);
        Tile.Config backupAge = gauge("number", Metric.BACKUP_AGE_SECONDS, Map.of(), null);
        return List.of(
                dashboard(
                        SERVICES,
                        organizationId,
                        createdAt,
                        "Services",
                        new Tile("services-by-state", "Services by state", 0, 0, 12, 4, services),
                        new Tile(SERVICES_FAILING, "Failed or degraded services", 12, 0, 12, 4, failedServices)),
                dashboard(
                        PIPES,
                        organizationId,
                        createdAt,
                        "Pipes",
                        new Tile("pipes-by-state", "Pipes by state", 0, 0, 12, 4, pipes),
                        new Tile(PIPES_FAILING, "Failed or degraded pipes", 12, 0, 12, 4, failedPipes),
                        new Tile(PIPES_BEHIND, "Seconds that pipes are behind", 0, 4, 8, 4, lag),
                        new Tile(PIPES_LOSING, "Percent of records that pipes cannot ingest", 8, 4, 8, 4, errors),
                        new Tile(PIPES_SLOTS, "MiB that sources keep for pipes", 16, 4, 8, 4, slots)),
                dashboard(
                        CONTROL_PLANE,
                        organizationId,
                        createdAt,
                        "Control plane",
                        new Tile("requests-by-status", "Requests by status", 0, 0, 12, 4, requests),
                        new Tile(REQUESTS_FAILING, "Requests answered with 5xx", 12, 0, 12, 4, failedRequests),
                        new Tile(TASKS_FAILING, "Tasks that keep failing", 0, 4, 12, 4, tasks),
                        new Tile("backup-age", "Seconds since the last backup", 12, 4, 12, 4, backupAge)));
    }

    public static Optional<Dashboard> find(UUID organizationId, Instant createdAt, UUID id) {
        return all(organizationId, createdAt).stream()
                .filter(dashboard -> dashboard.id().equals(id))
                .findFirst();
    }

    private static Tile.Config gauge(
            String displayType, Metric metric, Map<String, String> filter, @Nullable String groupBy) {
        return new Tile.Config(displayType, metric, Metric.Aggregation.LAST, filter, groupBy);
    }

    private static Tile.Config count(String displayType, Map<String, String> filter, @Nullable String groupBy) {
        return new Tile.Config(displayType, Metric.REQUESTS, Metric.Aggregation.SUM, filter, groupBy);
    }

    private static Dashboard dashboard(UUID id, UUID organizationId, Instant createdAt, String name, Tile... tiles) {
        return new Dashboard(
                new Head(id, organizationId, createdAt, 1), createdAt, name, List.of(), List.of(tiles), true);
    }
}
