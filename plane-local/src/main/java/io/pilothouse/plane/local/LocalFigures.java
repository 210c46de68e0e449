package io.pilothouse.plane.local;

import io.pilothouse.core.figure.DatabaseFigures;
import io.pilothouse.core.figure.Figure;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Figures from the system tables of databases that are known to run. */
public final class LocalFigures implements DatabaseFigures {
    private static final int COLUMNS = 4;
    private static final String FORMAT = " FORMAT TabSeparatedRaw";

    /** Which ClickHouse has which of these tables, and since when with a description, differs. */
    private static final String TABLES = "SELECT table, has(groupArray(name), 'description') FROM system.columns"
            + " WHERE database = 'system' AND table IN ('events', 'metrics', 'asynchronous_metrics', 'errors')"
            + " GROUP BY table" + FORMAT;

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
        for (String[] table : rows(ask(service, TABLES, atMost))) {
            parts.add(part(table[0], table[1].equals("1")));
        }
        return Optional.of(parsed(rows(ask(service, String.join(" UNION ALL ", parts) + FORMAT, atMost))));
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

    private String ask(Service service, String question, Duration atMost) throws PlaneFault {
        try {
            return switch (databases.ask(service.id(), question, atMost)) {
                case DatabaseClient.Answer.Text(String text) -> text;
                case DatabaseClient.Answer.Refusal(int _, String sentence) -> throw new PlaneFault(sentence);
                case DatabaseClient.Answer.Silence(String reason) ->
                    throw new PlaneFault("The database gives no figures: " + reason);
            };
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
