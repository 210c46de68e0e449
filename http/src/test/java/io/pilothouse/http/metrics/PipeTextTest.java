package io.pilothouse.http.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.core.pipe.progress.PipeFigures;
import io.pilothouse.core.pipe.progress.PipeFigures.TableEvents;
import io.pilothouse.testkit.PipeSample;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The figures of pipes, as those who watch read them. */
class PipeTextTest {
    private static final UUID ONE = UUID.fromString("00000000-0000-4000-8000-000000000001");
    private static final UUID OTHER = UUID.fromString("11111111-0000-4000-8000-000000000002");

    private static Pipe pipe(UUID id, PipeKind kind) {
        return PipeSample.running(id, ONE, OTHER, kind, Instant.parse("2026-01-01T00:00:00Z"));
    }

    private static List<String> lines(PipeFigures... pipes) {
        List<String> lines = new ArrayList<>();
        PipeText.write(
                List.of(pipes),
                pipe -> new String[] {"clickhouse_service", "s"},
                text -> lines.addAll(text.lines().toList()));
        return lines;
    }

    private static String labels(UUID id, String kind) {
        return "{clickhouse_service=\"s\",clickpipe_id=\"" + id + "\",clickpipe_name=\"Pipe "
                + id.toString().substring(0, 8) + "\",clickpipe_source=\"" + kind + "\"";
    }

    @Test
    void whatIsNotKnownOfAPipeIsNotWritten() {
        assertThat(lines(
                        new PipeFigures(pipe(ONE, PipeKind.KAFKA), Map.of(PipeFigure.ERRORS, 0L), List.of()),
                        new PipeFigures(
                                pipe(OTHER, PipeKind.KAFKA),
                                Map.of(PipeFigure.ERRORS, 2L, PipeFigure.LATENCY_MILLIS, 340L),
                                List.of())))
                .containsExactly(
                        "# HELP ClickPipes_Errors_Total Total records that could not be ingested.",
                        "# TYPE ClickPipes_Errors_Total counter",
                        "ClickPipes_Errors_Total" + labels(ONE, "kafka") + "} 0",
                        "ClickPipes_Errors_Total" + labels(OTHER, "kafka") + "} 2",
                        "# HELP ClickPipes_Latency Time in milliseconds between when a record was produced and when it"
                                + " was written to ClickHouse.",
                        "# TYPE ClickPipes_Latency gauge",
                        "ClickPipes_Latency" + labels(OTHER, "kafka") + "} 340");
    }

    @Test
    void changesAreCountedForEachTable() {
        assertThat(lines(new PipeFigures(
                        pipe(ONE, PipeKind.POSTGRES), Map.of(), List.of(new TableEvents("users", "insert", 7)))))
                .contains("ClickPipes_FetchedEvents_PerTable" + labels(ONE, "postgres")
                        + ",destination_table=\"users\",event_type=\"insert\"} 7");
    }

    @Test
    void databasePipesOfAServiceShowWhatTheyUseTogether() {
        assertThat(lines(
                        new PipeFigures(pipe(ONE, PipeKind.POSTGRES), Map.of(PipeFigure.CPU_USAGE, 40L), List.of()),
                        new PipeFigures(pipe(OTHER, PipeKind.POSTGRES), Map.of(PipeFigure.CPU_USAGE, 2L), List.of()),
                        new PipeFigures(pipe(OTHER, PipeKind.KAFKA), Map.of(PipeFigure.CPU_USAGE, 5L), List.of())))
                .contains("ClickPipes_CDC_CPUUsage{clickhouse_service=\"s\"} 42")
                .contains("ClickPipes_Replica_CPUUsage" + labels(OTHER, "kafka") + "} 5");
    }

    @Test
    void nothingIsWrittenWhereNoPipeRuns() {
        assertThat(lines()).isEmpty();
    }
}
