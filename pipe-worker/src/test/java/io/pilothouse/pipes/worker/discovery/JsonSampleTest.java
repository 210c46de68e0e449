package io.pilothouse.pipes.worker.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.pipes.wire.FoundFields.Field;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonSampleTest {
    private final JsonSample sample = new JsonSample();

    private void add(String... records) {
        for (String record : records) {
            sample.add(record.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void objectsInObjectsBecomePaths() {
        add("{\"a\": {\"b\": {\"c\": 1}}, \"d\": [{\"e\": 2}]}");
        assertThat(sample.lines()).isEqualTo("{\"a.b.c\":1,\"d\":[{\"e\":2}]}\n");
        assertThat(sample.fields(Map.of("a.b.c", "Int64")))
                .containsExactly(new Field("a.b.c", "Int64", false), new Field("d", "String", false));
    }

    @Test
    void whatSomeAreWithoutOrHaveAsNullIsOptional() {
        add("{\"id\": 1, \"a\": 1}", "{\"id\": 2, \"b\": null}", "{\"id\": 3, \"a\": null, \"b\": 1}");
        assertThat(sample.fields(Map.of()))
                .containsExactly(
                        new Field("id", "String", false),
                        new Field("a", "String", true),
                        new Field("b", "String", true));
    }

    @Test
    void anObjectThatIsSometimesNullIsNoFieldBesideItsOwn() {
        add("{\"user\": null}", "{\"user\": {}}", "{\"user\": {\"name\": \"Ada\"}}");
        assertThat(sample.fields(Map.of())).containsExactly(new Field("user.name", "String", true));
    }

    @Test
    void whatIsNoObjectDoesNotCount() {
        add("no JSON", "[1]", "7", "", "{\"id\": 1}");
        assertThat(sample.records()).isEqualTo(1);
        assertThat(sample.fields(Map.of())).containsExactly(new Field("id", "String", false));
    }

    @Test
    void whatIsDeeperOrMoreThanALookCanTakeStaysWhole() {
        add("{\"a\":".repeat(12) + "1" + "}".repeat(12));
        assertThat(sample.lines()).startsWith("{\"a.a.a.a.a.a.a.a\":{\"a\":");
        StringBuilder wide = new StringBuilder("{\"f0\":0");
        for (int field = 1; field < 2000; field++) {
            wide.append(",\"f").append(field).append("\":0");
        }
        add(wide + "}");
        assertThat(sample.fields(Map.of())).hasSize(1000);
    }
}
