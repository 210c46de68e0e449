package io.pilothouse.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.PipeDesign;
import io.pilothouse.core.pipe.PipeDraft;
import io.pilothouse.core.pipe.PipeSchemaReader.Field;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which column nothing would fill. */
class UnfilledColumnsTest {
    private static final List<Field> FIELDS =
            List.of(new Field("id", "Int64", false), new Field("user.name", "String", true));

    private static Tree.Members texts(String... values) {
        Tree.Members members = Tree.Members.NONE;
        for (int i = 0; i < values.length; i += 2) {
            members = members.with(values[i], new Tree.Text(values[i + 1]));
        }
        return members;
    }

    /** Of a pipe whose only column is filled by this field. */
    private static Optional<String> unfilled(String kind, Tree.Members source, String field) {
        Tree.Members destination = texts("table", "t")
                .with("managedTable", new Tree.Flag(false))
                .with("columns", new Tree.Items(List.of(texts("name", "c", "type", "String"))));
        Tree.Items mappings = new Tree.Items(List.of(texts("sourceField", field, "destinationField", "c")));
        PipeDraft draft =
                new PipeDraft("pipe", new Tree.Members(Map.of(kind, source)), destination, mappings, null, null, false);
        UUID id = UUID.randomUUID();
        return TargetColumns.unfilled(
                new PipeDesign(RuleBook.of(Edition.SEED), new Faults())
                        .create(id, id, id, draft, Instant.EPOCH)
                        .orElseThrow()
                        .pipe(),
                FIELDS);
    }

    private static Optional<String> ofRecords(String field) {
        return unfilled("kafka", texts("brokers", "b:9092", "topics", "t"), field);
    }

    private static Optional<String> ofFiles(String format, String field) {
        return unfilled("objectStorage", texts("url", "http://h/b/*", "format", format), field);
    }

    @Test
    void fieldThatNoRecordHasIsNamedWithItsColumn() {
        assertThat(ofRecords("nmae").orElseThrow()).contains("the field nmae", "the column c");
        assertThat(ofRecords("user.nmae")).isPresent();
        assertThat(ofRecords("name")).isPresent();
    }

    @Test
    void fieldIsThereByItsPathAsAWholeOrInsideOfWhatIsNotShown() {
        assertThat(ofRecords("id")).isEmpty();
        assertThat(ofRecords("user.name")).isEmpty();
        assertThat(ofRecords("user")).isEmpty();
        assertThat(ofRecords("user.name.first")).isEmpty();
    }

    @Test
    void whatIsBesideTheContentIsAlwaysThere() {
        assertThat(ofRecords("_offset")).isEmpty();
        assertThat(ofFiles("JSONEachRow", "_file")).isEmpty();
        assertThat(ofRecords("_file")).isPresent();
    }

    @Test
    void valuesWithoutNamesAreTakenByTheirPlaces() {
        assertThat(ofFiles("CSV", "anything")).isEmpty();
        assertThat(ofFiles("JSONAsObject", "anything")).isEmpty();
        assertThat(ofFiles("CSVWithNames", "anything")).isPresent();
    }
}
