package io.pilothouse.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeDesign;
import io.pilothouse.core.pipe.PipeDraft;
import io.pilothouse.pipes.wire.Assignment.Target;
import io.pilothouse.pipes.wire.Sql;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How the fields of a source become columns. */
class TargetColumnsTest {
    private static Tree.Members object(String... values) {
        Tree.Members members = Tree.Members.NONE;
        for (int i = 0; i < values.length; i += 2) {
            members = members.with(values[i], new Tree.Text(values[i + 1]));
        }
        return members;
    }

    private static Target target(String format, List<Tree> columns, List<Tree> mappings) {
        return target("objectStorage", object("format", format, "url", "http://h/b/*"), columns, mappings);
    }

    private static Target target(String kind, Tree.Members source, List<Tree> columns, List<Tree> mappings) {
        Faults faults = new Faults();
        Tree.Members destination = object("table", "t")
                .with("managedTable", new Tree.Flag(false))
                .with("columns", new Tree.Items(columns));
        Pipe pipe = new PipeDesign(RuleBook.of(Edition.SEED), faults)
                .create(
                        UUID.randomUUID(),
                        UUID.randomUUID(),
                        UUID.randomUUID(),
                        new PipeDraft(
                                "pipe",
                                new Tree.Members(Map.of(kind, source)),
                                destination,
                                new Tree.Items(mappings),
                                null,
                                null,
                                false),
                        Instant.EPOCH)
                .orElseThrow()
                .pipe();
        return TargetColumns.of(pipe);
    }

    private static Tree column(String name, String type) {
        return object("name", name, "type", type);
    }

    private static Tree mapping(String source, String destination) {
        return object("sourceField", source, "destinationField", destination);
    }

    @Test
    void columnWithoutAMappingIsReadByItsName() {
        Target target = target("JSONEachRow", List.of(column("id", "UInt64"), column("it's", "String")), List.of());
        assertThat(target.columns()).containsExactly("id", "it's");
        assertThat(target.expressions()).containsExactly("`id`", "`it's`");
        assertThat(target.structure()).isEqualTo("`id` UInt64, `it's` String");
    }

    @Test
    void pathIsTakenOutOfItsOutermostObject() {
        Target target = target(
                "JSONEachRow",
                List.of(column("a", "UInt8"), column("b", "String")),
                List.of(mapping("o.p.q", "a"), mapping("o.r", "b")));
        assertThat(target.structure()).isEqualTo("`o` String");
        assertThat(target.expressions())
                .containsExactly("JSONExtract(`o`, 'p', 'q', 'UInt8')", "JSONExtract(`o`, 'r', 'String')");
    }

    @Test
    void fieldThatFillsTwoColumnsIsReadOnceAndConverted() {
        Target target = target(
                "JSONEachRow",
                List.of(column("a", "UInt8"), column("b", "String")),
                List.of(mapping("x", "a"), mapping("x", "b")));
        assertThat(target.structure()).isEqualTo("`x` UInt8");
        assertThat(target.expressions()).containsExactly("`x`", "CAST(`x` AS String)");
    }

    @Test
    void pathIntoATypedFileIsLeftToTheDatabase() {
        Target target = target("Parquet", List.of(column("a", "UInt8")), List.of(mapping("o.p", "a")));
        assertThat(target.structure()).isEmpty();
        assertThat(target.expressions()).containsExactly("CAST(`o`.`p` AS UInt8)");
    }

    @Test
    void nameOfTheFileIsAField() {
        Target target = target(
                "CSV", List.of(column("id", "UInt8"), column("from", "String")), List.of(mapping("_file", "from")));
        assertThat(target.structure()).isEqualTo("`id` UInt8");
        assertThat(target.expressions()).containsExactly("`id`", "CAST(_file AS String)");
    }

    @Test
    void valuesOfRecordsOfCsvHaveNoPaths() {
        Target target = target(
                "kafka",
                object("brokers", "b:9092", "topics", "t", "format", "CSV"),
                List.of(column("id", "UInt8"), column("name", "String"), column("_key", "String")),
                List.of(mapping("user.name", "name")));
        assertThat(target.structure()).isEqualTo("`id` UInt8, `user.name` String, `@_key` String");
        assertThat(target.expressions()).containsExactly("`id`", "`user.name`", "`@_key`");
    }

    @Test
    void whatARecordHasBesideItsContentIsReadUnderANameOfItsOwn() {
        Target target = target(
                "kafka",
                object("brokers", "b:9092", "topics", "t"),
                List.of(column("id", "UInt8"), column("place", "Int64"), column("_key", "String")),
                List.of(mapping("_offset", "place")));
        assertThat(target.structure()).isEqualTo("`id` UInt8, `@_offset` Int64, `@_key` String");
        assertThat(target.expressions()).containsExactly("`id`", "`@_offset`", "`@_key`");
    }

    @Test
    void recordHasOnlyTheFieldsOfItsKindOfStream() {
        Target target = target(
                "kinesis",
                object("streamName", "s", "region", "r"),
                List.of(column("at", "String"), column("_offset", "String"), column("_stream", "String")),
                List.of(mapping("_sequence_number", "at")));
        assertThat(target.structure()).isEqualTo("`@_sequence_number` String, `_offset` String, `@_stream` String");
    }

    @Test
    void quotesInNamesAreEscaped() {
        assertThat(Sql.name("a`b\\c")).isEqualTo("`a\\`b\\\\c`");
        assertThat(Sql.text("it's")).isEqualTo("'it\\'s'");
    }
}
