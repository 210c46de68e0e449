package io.pilothouse.core.pipe;

import static io.pilothouse.core.base.Trees.with;
import static io.pilothouse.core.base.Trees.without;
import static io.pilothouse.core.pipe.GivenPipe.DESTINATION;
import static io.pilothouse.core.pipe.GivenPipe.MAPPINGS;
import static io.pilothouse.core.pipe.GivenPipe.column;
import static io.pilothouse.core.pipe.GivenPipe.makeInto;
import static io.pilothouse.core.pipe.GivenPipe.mapping;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.Trees;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PipeDestinationTest {
    @Test
    void aStreamNeedsATableItsColumnsAndWhoManagesIt() {
        assertThat(makeInto(Map.of(), null).paths())
                .containsExactlyInAnyOrder("destination.table", "destination.managedTable", "destination.columns");
        assertThat(makeInto(with(DESTINATION, "table", " "), MAPPINGS).paths()).containsExactly("destination.table");
        assertThat(makeInto(with(DESTINATION, "columns", 5), MAPPINGS).paths()).contains("destination.columns");
        assertThat(makeInto(with(DESTINATION, "managedTable", "yes"), MAPPINGS).paths())
                .contains("destination.managedTable");
        assertThat(makeInto(DESTINATION, MAPPINGS).pipe().destination().text("database"))
                .contains("default");
    }

    @Test
    void aColumnThatIsNotAnObjectMovesNoOtherFault() {
        Map<String, Object> destination =
                with(DESTINATION, "columns", List.of(5, column("id"), column("v"), column("id")));
        assertThat(makeInto(destination, MAPPINGS).paths())
                .containsExactly("destination.columns[0]", "destination.columns[3].name");
    }

    @Test
    void aDefinitionBelongsToAManagedTable() {
        assertThat(makeInto(without(DESTINATION, "tableDefinition"), MAPPINGS).paths())
                .containsExactly("destination.tableDefinition");
        assertThat(makeInto(with(DESTINATION, "managedTable", false), MAPPINGS).paths())
                .containsExactly("destination.tableDefinition");
        assertThat(makeInto(without(with(DESTINATION, "managedTable", false), "tableDefinition"), MAPPINGS)
                        .paths())
                .isEmpty();
    }

    @Test
    void theEngineFollowsFromItsColumnsUnlessItIsNamed() {
        assertThat(engine(Map.of())).isEqualTo("MergeTree");
        assertThat(engine(Map.of("versionColumnId", "v"))).isEqualTo("ReplacingMergeTree");
        assertThat(engine(Map.of("columnIds", List.of("v")))).isEqualTo("SummingMergeTree");
        assertThat(engine(Map.of("type", "Null"))).isEqualTo("Null");
    }

    @Test
    void engineColumnsBelongToTheirEngineAndExist() {
        String engine = "destination.tableDefinition.engine.";
        assertThat(engineFaults(Map.of("type", "MergeTree", "versionColumnId", "v")))
                .containsExactly(engine + "versionColumnId");
        assertThat(engineFaults(Map.of("type", "MergeTree", "columnIds", List.of("v"))))
                .containsExactly(engine + "columnIds");
        assertThat(engineFaults(Map.of("versionColumnId", "nowhere"))).containsExactly(engine + "versionColumnId");
        assertThat(engineFaults(Map.of("columnIds", List.of("nowhere")))).containsExactly(engine + "columnIds");
        assertThat(engineFaults(Map.of("columnIds", List.of(1)))).containsExactly(engine + "columnIds[0]");
        assertThat(engineFaults(Map.of("type", "Memory"))).containsExactly(engine + "type");
        assertThat(makeInto(
                                with(
                                        DESTINATION,
                                        "tableDefinition",
                                        Map.of("engine", Map.of("type", "ReplacingMergeTree"))),
                                MAPPINGS)
                        .paths())
                .containsExactly("destination.tableDefinition.sortingKey");
    }

    @Test
    void aColumnIsMappedAtMostOnce() {
        assertThat(makeInto(DESTINATION, null).paths()).isEmpty();
        assertThat(makeInto(DESTINATION, Trees.items(mapping("id"))).paths()).isEmpty();
        assertThat(makeInto(DESTINATION, Trees.items(mapping("id"), mapping("v"), mapping("v")))
                        .paths())
                .containsExactly("fieldMappings[2].destinationField");
        assertThat(makeInto(DESTINATION, Trees.items(mapping("id"), mapping("x")))
                        .paths())
                .contains("fieldMappings[1].destinationField");
        assertThat(makeInto(DESTINATION, Trees.items("id")).paths()).contains("fieldMappings[0]");
        assertThat(makeInto(DESTINATION, Trees.items(Map.of("sourceField", "id")))
                        .paths())
                .contains("fieldMappings[0].destinationField");
    }

    @Test
    void columnsHaveNamesOfTheirOwn() {
        assertThat(makeInto(with(DESTINATION, "columns", List.of(column("id"), column("id"))), MAPPINGS)
                        .paths())
                .contains("destination.columns[1].name");
        assertThat(makeInto(with(DESTINATION, "columns", List.of(Map.of("type", "Int8"), 4)), MAPPINGS)
                        .paths())
                .contains("destination.columns[0].name", "destination.columns[1]");
    }

    @Test
    void aDatabasePipeNamesItsTablesInItsMappingsOnly() {
        Tree.Members source = Trees.members(Map.of("postgres", GivenPipe.POSTGRES));
        assertThat(GivenPipe.make(new PipeDraft("pipe", source, Trees.members(DESTINATION), MAPPINGS, null, null, null))
                        .paths())
                .containsExactlyInAnyOrder(
                        "destination.table", "destination.tableDefinition", "destination.columns", "fieldMappings");
        Pipe made = GivenPipe.make(new PipeDraft(
                        "pipe",
                        source,
                        Trees.members(Map.of("database", "raw", "columns", List.of())),
                        null,
                        null,
                        null,
                        null))
                .pipe();
        assertThat(made.destination().values().keySet()).containsExactlyInAnyOrder("database", "columns", "roles");
        assertThat(made.destination().text("database")).contains("raw");
    }

    private static String engine(Map<String, Object> engine) {
        return definition(engine)
                .pipe()
                .destination()
                .members("tableDefinition")
                .flatMap(definition -> definition.members("engine"))
                .flatMap(found -> found.text("type"))
                .orElseThrow();
    }

    private static List<String> engineFaults(Map<String, Object> engine) {
        return definition(engine).paths();
    }

    private static GivenPipe.Made definition(Map<String, Object> engine) {
        return makeInto(
                with(DESTINATION, "tableDefinition", Map.of("engine", engine, "sortingKey", List.of("id"))), MAPPINGS);
    }
}
