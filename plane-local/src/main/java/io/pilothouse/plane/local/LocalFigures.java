package io.pilothouse.plane.local;

import io.pilothouse.core.figure.DatabaseFigures;
import io.pilothouse.core.figure.Figure;
import io.pilothouse.core.figure.Pulse;
import io.pilothouse.core.figure.Vital;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import io.pilothouse.gateway.GatewayOwnUser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Figures from the system tables of databases that are known to run. */
public final class LocalFigures implements DatabaseFigures {
    private static final int COLUMNS = 4;
    private static final String FORMAT = " FORMAT TabSeparatedRaw";

    /** Which ClickHouse has which of these tables, and since when with a description, differs. */
    private static final String TABLES = "SELECT table, has(groupArray(name), 'description') FROM system.columns"
            + " WHERE database = 'system' AND table IN ('events', 'metrics', 'asynchronous_metrics', 'errors')"
            + " GROUP BY table" + FORMAT;

    private static final int UNKNOWN_TABLE = 60;
    private static final int OF_QUERIES = 2;

    /** Queries are logged a few seconds late, so it is the minute before those. Its partitions are months. */
    private static final String QUERIES = "SELECT count() / 60, quantile(0.99)(query_duration_ms) FROM system.query_log"
            + " WHERE event_date >= toDate(now() - 70) AND event_time >= now() - 70 AND event_time < now() - 10"
            + " AND type != 'QueryStart' AND is_initial_query AND user != '" + GatewayOwnUser.NAME + "'" + FORMAT;

    private static final String SIZES = "SELECT 'MEMORY_BYTES', toFloat64(sum(value)) FROM system.metrics"
            + " WHERE metric = 'MemoryTracking' UNION ALL SELECT 'CONNECTIONS', toFloat64(sum(value))"
            + " FROM system.metrics WHERE metric IN"
            + " ('TCPConnection', 'HTTPConnection', 'MySQLConnection', 'PostgreSQLConnection')"
            + " UNION ALL SELECT 'DISK_BYTES', toFloat64(sum(bytes_on_disk)) FROM system.parts" + FORMAT;

    private final LocalDatabases databases;

    public LocalFigures(LocalDatabases databases) {
        this.databases = databases;
    }

    @Override
    public Optional<List<Figure>> read(Service service, Duration atMost) throws PlaneFault {
        if (databases.address(service.id()).isEmpty()) {
            return Optional.empty();
        }
        List<String> parts = new ArrayList<>();
        for (String[] table : rows(ask(service.id(), TABLES, atMost))) {
            parts.add(part(table[0], table[1].equals("1")));
        }
        return Optional.of(parsed(rows(ask(service.id(), String.join(" UNION ALL ", parts) + FORMAT, atMost))));
    }

    @Override
    public Set<UUID> running() throws PlaneFault {
        try {
            return databases.present().stream()
                    .filter(id -> databases.address(id).isPresent())
                    .collect(Collectors.toUnmodifiableSet());
        } catch (DatabaseFailure failure) {
            throw new PlaneFault(String.valueOf(failure.getMessage()), failure);
        }
    }

    @Override
    public Optional<Pulse> pulse(UUID serviceId, Duration atMost) throws PlaneFault {
        if (databases.address(serviceId).isEmpty()) {
            return Optional.empty();
        }
        Map<Vital, Double> values = new EnumMap<>(Vital.class);
        try {
            for (String[] size : rows(ask(serviceId, SIZES, atMost))) {
                values.put(Vital.valueOf(size[0]), Double.valueOf(size[1]));
            }
            String[] queries = rows(queries(serviceId, atMost)).getFirst();
            values.put(Vital.QUERIES_PER_SECOND, Double.valueOf(queries[0]));
            if (queries.length == OF_QUERIES && !queries[1].equals("nan")) {
                values.put(Vital.P99_MILLIS, Double.valueOf(queries[1]));
            }
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException malformed) {
            throw new PlaneFault("The database's figures cannot be read", malformed);
        }
        return Optional.of(new Pulse(values));
    }

    /** There is no log of queries before the first one. */
    private String queries(UUID serviceId, Duration atMost) throws PlaneFault {
        DatabaseClient.Answer answer = answered(serviceId, QUERIES, atMost);
        return answer instanceof DatabaseClient.Answer.Refusal(int code, String _) && code == UNKNOWN_TABLE
                ? "0"
                : text(answer);
    }

    private static String part(String table, boolean described) {
        Figure.Source source = Figure.Source.valueOf(table.toUpperCase(Locale.ROOT));
        String name = switch (source) {
            case EVENTS -> "event";
            case METRICS, ASYNCHRONOUS_METRICS -> "metric";
            case ERRORS -> "name";
        };
        String help = described ? "replaceRegexpAll(description, '\\\\s+', ' ')" : "''";
        return "SELECT '" + source + "', " + name + ", toFloat64(value), " + help + " FROM " + source.table()
                + " WHERE isFinite(toFloat64(value))";
    }

    private String ask(UUID serviceId, String question, Duration atMost) throws PlaneFault {
        return text(answered(serviceId, question, atMost));
    }

    private static String text(DatabaseClient.Answer answer) throws PlaneFault {
        return switch (answer) {
            case DatabaseClient.Answer.Text(String text) -> text;
            case DatabaseClient.Answer.Refusal(int _, String sentence) -> throw new PlaneFault(sentence);
            case DatabaseClient.Answer.Silence(String reason) ->
                throw new PlaneFault("The database gives no figures: " + reason);
        };
    }

    private DatabaseClient.Answer answered(UUID serviceId, String question, Duration atMost) throws PlaneFault {
        try {
            return databases.ask(serviceId, question, atMost);
        } catch (DatabaseFailure failure) {
            throw new PlaneFault(String.valueOf(failure.getMessage()), failure);
        }
    }

    private static List<String[]> rows(String text) {
        return text.lines().map(line -> line.split("\t", COLUMNS)).toList();
    }

    private static List<Figure> parsed(List<String[]> rows) throws PlaneFault {
        List<Figure> figures = new ArrayList<>();
        try {
            for (String[] columns : rows) {
                figures.add(new Figure(
                        Figure.Source.valueOf(columns[0]),
                        columns[1],
                        // An empty one at the end of the answer is stripped with it.
                        columns.length < COLUMNS ? "" : columns[3],
                        Double.parseDouble(columns[2])));
            }
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException malformed) {
            throw new PlaneFault("The database's figures cannot be read", malformed);
        }
        return figures;
    }
}
