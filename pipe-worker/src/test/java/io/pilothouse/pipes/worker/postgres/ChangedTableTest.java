package io.pilothouse.pipes.worker.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.pipes.worker.postgres.PgOutput.Cell;
import io.pilothouse.pipes.worker.postgres.PgOutput.Message.Relation;
import io.pilothouse.pipes.worker.postgres.SourceTable.Column;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the rows of changes become lines. */
class ChangedTableTest {
    private static final ChangedTable TABLE = new ChangedTable(
            new SourceTable(
                    new TableMapping("public", "t", "t", Set.of(), List.of(), "ReplacingMergeTree", 0),
                    1,
                    List.of(column("id", "int4"), column("added", "text"), column("name", "text")),
                    List.of("id"),
                    List.of()),
            new Relation(1, "public", "t", List.of("name", "gone", "id"), List.of("id")));

    private static Column column(String name, String type) {
        return new Column(name, ColumnType.of(type, -1, null), false);
    }

    private static List<Cell> row(String id, Cell name) {
        return List.of(name, new Cell.Nothing(), new Cell.Text(id));
    }

    @Test
    void valuesGoByTheNamesOfTheirColumns() {
        assertThat(TABLE.line(row("7", new Cell.Text("a\tb\\c\nd")), true, -1))
                .isEqualTo("7\t\\N\ta\\tb\\\\c\\nd\t1\t18446744073709551615\n");
    }

    @Test
    void rowMovesOnlyWhereItsKeyChanges() {
        assertThat(TABLE.movesRow(row("7", new Cell.Nothing()), row("8", new Cell.Nothing())))
                .isTrue();
        assertThat(TABLE.movesRow(row("7", new Cell.Text("a")), row("7", new Cell.Text("b"))))
                .isFalse();
    }

    @Test
    void changedRowIsFoundAgainOnlyByWhatTheSourceSendsOfIt() {
        assertThat(TABLE.isFound()).isTrue();
        assertThat(sorted("ReplacingMergeTree").isFound()).isFalse();
        // It gets a row for each change, and looks for none.
        assertThat(sorted("MergeTree").isFound()).isTrue();
    }

    private static ChangedTable sorted(String engine) {
        List<String> key = List.of("name", "id");
        return new ChangedTable(
                new SourceTable(
                        new TableMapping("public", "t", "t", Set.of(), key, engine, 0),
                        1,
                        List.of(column("id", "int4"), column("name", "text")),
                        key,
                        List.of()),
                new Relation(1, "public", "t", List.of("id", "name"), List.of("id")));
    }

    @Test
    void valueThatWasNotSentIsTakenFromTheOldRow() {
        List<Cell> partial = row("7", new Cell.Unchanged());
        assertThat(ChangedTable.completed(partial, row("7", new Cell.Text("old"))))
                .isEqualTo(row("7", new Cell.Text("old")));
        assertThat(ChangedTable.isPartial(ChangedTable.completed(partial, row("7", new Cell.Nothing()))))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{1,NULL,-3}; false; [1,null,-3]",
                "{{1,2},{3,4}}; false; [1,2,3,4]",
                "[0:1]={5,6}; false; [5,6]",
                "{}; false; []",
                "{t,f}; false; [true,false]",
                "{NaN,1e+20}; false; [\"NaN\",1e+20]",
                "{plain,\"a,\\\"b\\\"\",\"\"}; true; [\"plain\",\"a,\\\"b\\\"\",\"\"]",
                "{t,1}; true; [\"t\",\"1\"]"
            })
    void arraysBecomeLists(String array, boolean texts, String list) {
        assertThat(ChangedTable.json(array, texts)).isEqualTo(list);
    }
}
