package io.pilothouse.http.metrics;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.core.pipe.progress.PipeFigures;
import io.pilothouse.core.pipe.progress.PipeFigures.TableEvents;
import io.pilothouse.http.metrics.MetricsText.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** The figures of pipes in the names and labels of the live service, one family after the other; pure. */
public final class PipeText {
    private static final String PER_TABLE = "ClickPipes_FetchedEvents_PerTable";

    /** What all database pipes of a service use together, by the figure of each. */
    private static final List<Shared> SHARED = List.of(
            new Shared(
                    PipeFigure.CPU_USAGE,
                    "ClickPipes_CDC_CPUUsage",
                    "CPU use of the database pipes of a service, in millicores."),
            new Shared(
                    PipeFigure.CPU_LIMIT,
                    "ClickPipes_CDC_CPULimit",
                    "CPU limit of the database pipes of a service, in millicores."),
            new Shared(
                    PipeFigure.MEMORY_USAGE,
                    "ClickPipes_CDC_MemoryUsage",
                    "Memory use of the database pipes of a service, in bytes."),
            new Shared(
                    PipeFigure.MEMORY_LIMIT,
                    "ClickPipes_CDC_MemoryLimit",
                    "Memory limit of the database pipes of a service, in bytes."));

    private record Shared(PipeFigure figure, String family, String help) {}

    private PipeText() {}

    /** Hands over a family at a time; {@code serviceLabels} are names and values in turn, for the service of a pipe. */
    public static void write(List<PipeFigures> pipes, Function<Pipe, String[]> serviceLabels, Consumer<String> to) {
        for (PipeFigure figure : PipeFigure.values()) {
            List<PipeFigures> known = pipes.stream()
                    .filter(each -> each.values().containsKey(figure))
                    .toList();
            if (!known.isEmpty()) {
                MetricsText text = new MetricsText();
                text.family(figure.family(), kind(figure), figure.help());
                for (PipeFigures each : known) {
                    text.sample(figure.family(), value(each, figure), labels(each.pipe(), serviceLabels, List.of()));
                }
                to.accept(text.toString());
            }
        }
        perTable(pipes, serviceLabels, to);
        List<PipeFigures> databases =
                pipes.stream().filter(each -> each.pipe().database()).toList();
        SHARED.forEach(shared -> shared(shared, databases, serviceLabels, to));
    }

    private static Kind kind(PipeFigure figure) {
        return switch (figure.kind()) {
            case COUNTER -> Kind.COUNTER;
            case GAUGE -> Kind.GAUGE;
        };
    }

    private static long value(PipeFigures figures, PipeFigure figure) {
        return figures.values().getOrDefault(figure, 0L);
    }

    private static void perTable(List<PipeFigures> pipes, Function<Pipe, String[]> serviceLabels, Consumer<String> to) {
        if (pipes.stream().allMatch(each -> each.tables().isEmpty())) {
            return;
        }
        MetricsText text = new MetricsText();
        text.family(PER_TABLE, Kind.GAUGE, "Records fetched for each destination table and type of event.");
        for (PipeFigures each : pipes) {
            for (TableEvents table : each.tables()) {
                List<String> more = List.of("destination_table", table.table(), "event_type", table.event());
                text.sample(PER_TABLE, table.count(), labels(each.pipe(), serviceLabels, more));
            }
        }
        to.accept(text.toString());
    }

    private static void shared(
            Shared shared, List<PipeFigures> databases, Function<Pipe, String[]> serviceLabels, Consumer<String> to) {
        Map<List<String>, Long> sums = new LinkedHashMap<>();
        databases.stream()
                .filter(each -> each.values().containsKey(shared.figure()))
                .forEach(each ->
                        sums.merge(List.of(serviceLabels.apply(each.pipe())), value(each, shared.figure()), Long::sum));
        if (!sums.isEmpty()) {
            MetricsText text = new MetricsText();
            text.family(shared.family(), Kind.GAUGE, shared.help());
            sums.forEach((labels, sum) -> text.sample(shared.family(), sum, labels.toArray(String[]::new)));
            to.accept(text.toString());
        }
    }

    private static String[] labels(Pipe pipe, Function<Pipe, String[]> serviceLabels, List<String> more) {
        List<String> all = new ArrayList<>(List.of(serviceLabels.apply(pipe)));
        all.addAll(List.of(labels(pipe)));
        all.addAll(more);
        return all.toArray(String[]::new);
    }

    /** What names a pipe; its source is called by its type, as {@code confluent} or {@code s3}. */
    public static String[] labels(Pipe pipe) {
        return new String[] {
            "clickpipe_id",
            pipe.id().toString(),
            "clickpipe_name",
            pipe.name(),
            "clickpipe_source",
            pipe.source().text("type").orElse(pipe.kind().member())
        };
    }
}
