package io.pilothouse.http.api;

import io.pilothouse.core.figure.EssentialFigures;
import io.pilothouse.core.figure.Figure;
import io.pilothouse.core.figure.FigureOperations;
import io.pilothouse.core.figure.FigureRound;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.progress.PipeFigures;
import io.pilothouse.core.pipe.progress.PipeProgress;
import io.pilothouse.core.service.Service;
import io.pilothouse.http.metrics.MetricsText;
import io.pilothouse.http.metrics.MetricsText.Kind;
import io.pilothouse.http.metrics.PipeText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Figures in the names and labels of the live service. Services are written as they come; what databases and workers
 * said is kept until the end, because the format wants all of one family together. For one thread.
 */
final class PrometheusText {
    private static final String SERVICE_INFO = "ClickHouse_ServiceInfo";
    private static final String PIPE_INFO = "ClickPipes_Info";

    private final PipeProgress progress;
    private final boolean filtered;
    private final Map<String, List<Sample>> families = new TreeMap<>();

    private final List<PipeFigures> moved = new ArrayList<>();
    /** The labels of the services whose pipes run, by their ids. */
    private final Map<UUID, String[]> names = new HashMap<>();

    private record Sample(Service service, Figure figure) {}

    /** {@code filtered} leaves out what is not in {@link EssentialFigures}. */
    PrometheusText(PipeProgress progress, boolean filtered) {
        this.progress = progress;
        this.filtered = filtered;
    }

    /** A line for each service, and under {@code scrape} whether its database answered; keeps what it said. */
    String services(List<FigureRound.Reading> readings, boolean first) {
        MetricsText text = new MetricsText();
        if (first) {
            text.family(
                    SERVICE_INFO,
                    Kind.UNTYPED,
                    "Information about service, including cluster status and ClickHouse version");
        }
        for (FigureRound.Reading reading : readings) {
            Service service = reading.service();
            text.sample(
                    SERVICE_INFO,
                    1,
                    labels(
                            service,
                            "clickhouse_cluster_status",
                            service.state().word(),
                            "clickhouse_version",
                            Objects.requireNonNullElse(service.seen().dbVersion(), ""),
                            "scrape",
                            reading.failed() ? "partial" : "full"));
            for (Figure figure : reading.figures()) {
                if (!filtered || EssentialFigures.has(figure)) {
                    families.computeIfAbsent(figure.family(), _ -> new ArrayList<>())
                            .add(new Sample(service, figure));
                }
            }
        }
        return text.toString();
    }

    /** A line for each pipe; empty when there is none. Keeps what its workers said. */
    String pipes(List<FigureOperations.Piped> services, boolean first) {
        MetricsText text = new MetricsText();
        if (first && !services.isEmpty()) {
            text.family(PIPE_INFO, Kind.GAUGE, "Always 1; clickpipe_state is the state of the pipe");
        }
        for (FigureOperations.Piped piped : services) {
            for (Pipe pipe : piped.pipes()) {
                String state = pipe.state().word();
                text.sample(
                        PIPE_INFO,
                        1,
                        labels(
                                piped.service(),
                                Stream.concat(
                                                Stream.of(PipeText.labels(pipe)),
                                                // The live documentation writes the one, and its example the other.
                                                Stream.of("clickpipe_state", state, "clickpipe_status", state))
                                        .toArray(String[]::new)));
                progress.find(pipe.id()).ifPresent(figures -> {
                    moved.add(figures);
                    names.put(pipe.serviceId(), labels(piped.service()));
                });
            }
        }
        return text.toString();
    }

    /** What the workers of pipes and the databases said, one family after the other. */
    void families(Consumer<String> to) {
        PipeText.write(moved, pipe -> Objects.requireNonNull(names.get(pipe.serviceId())), to);
        families.forEach((name, samples) -> {
            Figure first = samples.getFirst().figure();
            MetricsText text = new MetricsText();
            text.family(name, first.source().counter() ? Kind.COUNTER : Kind.GAUGE, first.help());
            for (Sample sample : samples) {
                String replica = replica(sample.service());
                text.sample(
                        name,
                        sample.figure().value(),
                        labels(
                                sample.service(),
                                "hostname",
                                replica,
                                "instance",
                                replica,
                                "table",
                                sample.figure().source().table()));
            }
            to.accept(text.toString());
        });
    }

    /** The one replica that there is of each service here; the end of the id tells it from others. */
    private static String replica(Service service) {
        String id = service.id().toString();
        return "server-" + id.substring(id.lastIndexOf('-') + 1) + "-0";
    }

    private static String[] labels(Service service, String... more) {
        return Stream.concat(
                        Stream.of(
                                "clickhouse_org",
                                service.organizationId().toString(),
                                "clickhouse_service",
                                service.id().toString(),
                                "clickhouse_service_name",
                                service.name()),
                        Stream.of(more))
                .toArray(String[]::new);
    }
}
