package io.pilothouse.core.metric;

import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.base.MetricLabel;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.core.pipe.progress.PipeFigures;
import io.pilothouse.core.pipe.progress.PipeProgress;
import io.pilothouse.core.port.MetricPoints;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;
import java.util.function.Function;

/**
 * Reads metrics from what is counted anyway: by the store, labels of services and pipes, and requests by the minute; by
 * the workers of pipes, what they reported last.
 */
public class MetricReader {
    /** The name of the series of requests, followed by the class of their status. */
    public static final String REQUESTS = "requests.";

    private static final String STATE = "state";
    private static final String PIPE = "pipe";
    private static final int MAX_GROUPS = 500;

    private final PipeProgress pipes;

    public MetricReader(PipeProgress pipes) {
        this.pipes = pipes;
    }

    /**
     * A counter is read over the window; a gauge is read as it is now. Costs at most as much as counting does, and
     * never reads each thing of an organization.
     */
    public MetricReading read(Tables tables, UUID organizationId, Tile.Config config, MetricWindow window) {
        return switch (config.metric()) {
            case SERVICES -> things(config, "service", tables.of(Service.KIND), organizationId, Service::label);
            case PIPES -> things(config, PIPE, tables.of(Pipe.KIND), organizationId, Pipe::label);
            case REQUESTS -> requests(tables, organizationId, config, window);
            case FAILING_TASKS -> failing(tables, organizationId, config);
            case BACKUP_AGE_SECONDS -> backupAge(tables, organizationId, window);
            case PIPE_LAG_RECORDS -> figure(organizationId, config, PipeFigure.LAG_RECORDS);
            case PIPE_LAG_SECONDS -> figure(organizationId, config, PipeFigure.LAG_SECONDS);
            case PIPE_ERROR_PERCENT -> figure(organizationId, config, PipeFigure.ERROR_PERCENT);
            case PIPE_SLOT_MIB -> figure(organizationId, config, PipeFigure.SLOT_MEBIBYTES);
        };
    }

    /** Of the pipes of which something is known, as workers reported it: each by itself, or the greatest of all. */
    private MetricReading figure(UUID organizationId, Tile.Config config, PipeFigure figure) {
        String id = config.filter().get(PIPE);
        List<PipeFigures> found = id == null
                ? pipes.ofOrganization(organizationId, MAX_GROUPS + 1)
                : pipes.find(UUID.fromString(id)).stream()
                        .filter(one -> one.pipe().organizationId().equals(organizationId))
                        .toList();
        Map<String, Double> values = new LinkedHashMap<>();
        found.stream().limit(MAX_GROUPS).forEach(one -> {
            Long value = one.values().get(figure);
            if (value != null) {
                values.put(PIPE + ":" + one.pipe().id(), value.doubleValue());
            }
        });
        if (config.groupBy() != null) {
            return new MetricReading.Values(values, found.size() <= MAX_GROUPS);
        }
        OptionalDouble greatest =
                values.values().stream().mapToDouble(Double::doubleValue).max();
        return greatest.isEmpty()
                ? new MetricReading.Nothing()
                : new MetricReading.Values(Map.of(MetricReading.WHOLE, greatest.getAsDouble()), true);
    }

    private static <T extends Stored> MetricReading things(
            Tile.Config config, String kind, Table<T> table, UUID organizationId, Function<T, MetricLabel> labels) {
        List<String> states = config.wanted(STATE);
        String id = config.filter().get(kind);
        if (id != null) {
            return one(config, kind, table.find(UUID.fromString(id)).map(labels), organizationId, id);
        }
        if (kind.equals(config.groupBy())) {
            return each(kind, table, organizationId, states);
        }
        Map<String, Double> counts = new LinkedHashMap<>();
        for (String state : states) {
            counts.put(STATE + ":" + state, (double) count(table, organizationId, state));
        }
        return split(config, counts);
    }

    /** A thing counts as one while it is in a state the filter allows; one that no longer exists is left out. */
    private static MetricReading one(
            Tile.Config config, String kind, Optional<MetricLabel> found, UUID organizationId, String id) {
        Optional<MetricLabel> label = found.filter(each -> each.organizationId().equals(organizationId));
        if (label.isEmpty()) {
            return new MetricReading.Values(Map.of(), true);
        }
        Map<String, Double> counts = new LinkedHashMap<>();
        for (String state : config.wanted(STATE)) {
            counts.put(STATE + ":" + state, state.equals(label.get().state()) ? 1.0 : 0.0);
        }
        if (!kind.equals(config.groupBy())) {
            return split(config, counts);
        }
        boolean there = counts.containsValue(1.0);
        return new MetricReading.Values(there ? Map.of(kind + ":" + id, 1.0) : Map.of(), true);
    }

    private static <T extends Stored> MetricReading each(
            String kind, Table<T> table, UUID organizationId, List<String> states) {
        Map<String, Double> groups = new LinkedHashMap<>();
        for (String state : states) {
            for (boolean trouble : List.of(true, false)) {
                String label = new MetricLabel(organizationId, state, trouble).text();
                // Reading one more than fits shows whether there are more.
                int room = MAX_GROUPS + 1 - groups.size();
                table.listByLabel(label, room).forEach(row -> groups.put(kind + ":" + row.id(), 1.0));
            }
        }
        boolean complete = groups.size() <= MAX_GROUPS;
        if (!complete) {
            groups.remove(groups.keySet().stream().skip(MAX_GROUPS).findFirst().orElseThrow());
        }
        return new MetricReading.Values(groups, complete);
    }

    private static long count(Table<?> table, UUID organizationId, String state) {
        return table.countByLabel(new MetricLabel(organizationId, state, false).text())
                + table.countByLabel(new MetricLabel(organizationId, state, true).text());
    }

    private static MetricReading backupAge(Tables tables, UUID organizationId, MetricWindow window) {
        Optional<Instant> end =
                tables.of(Backup.KIND).newestByLabel(organizationId.toString()).map(Backup::endedAt);
        if (end.isEmpty()) {
            return new MetricReading.Nothing();
        }
        double seconds = Math.max(0, Duration.between(end.get(), window.to()).toSeconds());
        return new MetricReading.Values(Map.of(MetricReading.WHOLE, seconds), true);
    }

    private static MetricReading failing(Tables tables, UUID organizationId, Tile.Config config) {
        Map<String, Double> counts = new LinkedHashMap<>();
        for (String kind : config.wanted("kind")) {
            boolean services = kind.equals("service");
            Table<?> table = services ? tables.of(Service.KIND) : tables.of(Pipe.KIND);
            Metric metric = services ? Metric.SERVICES : Metric.PIPES;
            long failing = 0;
            for (String state : metric.dimension(STATE).orElseThrow().words()) {
                failing += table.countByLabel(new MetricLabel(organizationId, state, true).text());
            }
            counts.put("kind:" + kind, (double) failing);
        }
        return split(config, counts);
    }

    private static MetricReading requests(Tables tables, UUID organizationId, Tile.Config config, MetricWindow window) {
        Map<String, long[]> byStatus = new LinkedHashMap<>();
        for (String status : config.wanted("status")) {
            byStatus.put("status:" + status, minutes(tables, organizationId, status, window));
        }
        Map<String, Double> values = new LinkedHashMap<>();
        if (config.groupBy() != null) {
            byStatus.forEach((group, minutes) -> values.put(group, aggregate(config.aggregation(), minutes)));
        } else {
            long[] together = new long[lengthInMinutes(window)];
            byStatus.values().forEach(minutes -> Arrays.setAll(together, i -> together[i] + minutes[i]));
            values.put(MetricReading.WHOLE, aggregate(config.aggregation(), together));
        }
        return new MetricReading.Values(values, true);
    }

    /** The count of each minute of a window, including the empty ones. */
    private static long[] minutes(Tables tables, UUID organizationId, String status, MetricWindow window) {
        long[] minutes = new long[lengthInMinutes(window)];
        for (MetricPoints.Point point :
                tables.metricPoints().list(organizationId, REQUESTS + status, window.from(), window.to())) {
            // A window may begin within a minute, which then belongs to the window before.
            int at = (int) Duration.between(window.from(), point.minute()).toMinutes();
            minutes[at] += point.count();
        }
        return minutes;
    }

    private static int lengthInMinutes(MetricWindow window) {
        return Math.toIntExact(Duration.between(window.from(), window.to()).toMinutes());
    }

    private static double aggregate(Metric.Aggregation aggregation, long[] minutes) {
        LongSummaryStatistics statistics = Arrays.stream(minutes).summaryStatistics();
        return switch (aggregation) {
            case LAST -> minutes[minutes.length - 1];
            case SUM -> statistics.getSum();
            case AVG -> statistics.getAverage();
            case MIN -> statistics.getMin();
            case MAX -> statistics.getMax();
        };
    }

    /** The counts as groups of their own, or added up. */
    private static MetricReading split(Tile.Config config, Map<String, Double> counts) {
        if (config.groupBy() != null) {
            return new MetricReading.Values(counts, true);
        }
        double sum = counts.values().stream().mapToDouble(Double::doubleValue).sum();
        return new MetricReading.Values(Map.of(MetricReading.WHOLE, sum), true);
    }
}
