package io.pilothouse.core.pipe;

import static io.pilothouse.core.base.Trees.with;
import static io.pilothouse.core.pipe.GivenPipe.MAPPING;
import static io.pilothouse.core.pipe.PipeChangeTest.changed;
import static io.pilothouse.core.service.Given.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which tables a pipe reads changes while it is paused. */
class PipeMappingsTest {
    private final Faults faults = new Faults();

    @Test
    void tableMappingsChangeWhilePausedOnly() {
        Map<String, Object> added = Map.of("sourceSchemaName", "public", "sourceTable", "u", "targetTable", "u");
        Map<String, Object> adding = Map.of("tableMappingsToAdd", List.of(added));
        source(GivenPipe.pipe("postgres"), adding);
        assertThat(faults.list())
                .anySatisfy(fault -> assertThat(fault.message()).contains("must be paused to edit"));
        Pipe paused = GivenPipe.seen(GivenPipe.pipe("postgres").withWant(Pipe.Wish.STOP, 0, NOON), PipePhase.STOPPED);
        Faults none = new Faults();
        PipeDesign.Designed next = changed(paused, adding, none);
        assertThat(none.list()).isEmpty();
        assertThat(next.pipe().source().items("tableMappings")).hasSize(2);
        assertThat(next.pipe().want().wish()).as("goes on by itself").isEqualTo(Pipe.Wish.RUN);
        assertThat(changed(
                                paused,
                                Map.of("tableMappingsToRemove", List.of(MAPPING), "tableMappingsToAdd", List.of(added)),
                                none)
                        .pipe()
                        .source()
                        .items("tableMappings"))
                .hasSize(1);
        assertThat(none.none()).isTrue();
        Faults found = new Faults();
        changed(paused, Map.of("tableMappingsToRemove", List.of(MAPPING, "odd")), found);
        changed(
                paused,
                Map.of("tableMappingsToRemove", List.of(MAPPING), "tableMappingsToAdd", List.of(MAPPING, 5)),
                found);
        assertThat(found.list())
                .extracting(Fault::path)
                .contains(
                        "source.postgres.tableMappingsToRemove",
                        "source.postgres.tableMappingsToAdd[0]",
                        "source.postgres.tableMappingsToAdd[1]");
    }

    @Test
    void tableMappingsAreNotReplacedNorGivenInAnotherForm() {
        Pipe paused = GivenPipe.seen(GivenPipe.pipe("postgres").withWant(Pipe.Wish.STOP, 0, NOON), PipePhase.STOPPED);
        assertThat(changed(paused, Map.of("tableMappings", List.of(MAPPING)), faults)
                        .pipe()
                        .want()
                        .wish())
                .isEqualTo(Pipe.Wish.STOP);
        assertThat(faults.none()).isTrue();
        source(paused, Map.of("tableMappings", List.of(with(MAPPING, "targetTable", "other"))));
        Map<String, Object> tableless = Map.of("sourceSchemaName", "public");
        source(paused, Map.of("tableMappingsToAdd", "odd", "tableMappingsToRemove", List.of(Map.of(), tableless)));
        assertThat(faults.list())
                .extracting(Fault::path)
                .containsExactly(
                        "source.postgres.tableMappings",
                        "source.postgres.tableMappingsToAdd",
                        "source.postgres.tableMappingsToRemove[0].sourceSchemaName",
                        "source.postgres.tableMappingsToRemove[0].sourceTable",
                        "source.postgres.tableMappingsToRemove[1].sourceTable");
    }

    @Test
    void collectionsAreNamedByTheirDatabase() {
        Pipe paused = GivenPipe.seen(GivenPipe.pipe("mongodb").withWant(Pipe.Wish.STOP, 0, NOON), PipePhase.STOPPED);
        Map<String, Object> elsewhere = with(GivenPipe.COLLECTION, "sourceDatabaseName", "other");
        PipeDesign.Designed next = source(
                paused,
                Map.of(
                        "tableMappingsToAdd",
                        List.of(with(elsewhere, "targetTable", "u")),
                        "tableMappingsToRemove",
                        List.of(GivenPipe.COLLECTION)));
        assertThat(faults.list()).isEmpty();
        assertThat(next.pipe().source().objects("tableMappings"))
                .extracting(mapping -> mapping.text("sourceDatabaseName").orElseThrow())
                .containsExactly("other");
    }

    @Test
    void emptyListsOfTableMappingsChangeNothing() {
        Pipe paused = GivenPipe.seen(GivenPipe.pipe("postgres").withWant(Pipe.Wish.STOP, 0, NOON), PipePhase.STOPPED);
        PipeDesign.Designed next =
                source(paused, Map.of("tableMappingsToAdd", List.of(), "tableMappingsToRemove", List.of()));
        assertThat(faults.none()).isTrue();
        assertThat(next.pipe().source()).isEqualTo(paused.source());
    }

    private PipeDesign.Designed source(Pipe pipe, Map<String, Object> source) {
        return changed(pipe, source, faults);
    }
}
