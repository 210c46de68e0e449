package io.pilothouse.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.http.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntityTagsTest {
    /** The tag of the text that is held against a condition here. */
    private static final String CURRENT = EntityTags.of("\"7-a\"".getBytes(StandardCharsets.UTF_8));

    private static Precondition<String> precondition(String... lines) {
        return EntityTags.precondition(List.of(lines), JsonWriter::text);
    }

    private static void requireHolds(String... lines) {
        assertThatNoException().isThrownBy(() -> precondition(lines).require(() -> "7-a"));
    }

    private static void requireFails(String line) {
        assertThatThrownBy(() -> precondition(line.replace("7-a", CURRENT)).require(() -> "7-a"))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Refused.Reason.PRECONDITION_FAILED));
    }

    @Test
    void otherBytesHaveAnotherTag() {
        assertThat(CURRENT).matches("[0-9a-f]{32}");
        assertThat(EntityTags.of("\"7-b\"".getBytes(StandardCharsets.UTF_8))).isNotEqualTo(CURRENT);
    }

    @Test
    void ifMatchHoldsForTheCurrentTagAndForAnyThing() {
        requireHolds("\"" + CURRENT + "\"");
        requireHolds("*");
        requireHolds("\"6-a\", \"" + CURRENT + "\"");
        requireHolds("\"6-a\" ,\t\"" + CURRENT + "\" ,");
        requireHolds();
        requireHolds("\"1\"", "\"" + CURRENT + "\"");
    }

    @Test
    void ifMatchFailsForOtherTagsAndForWeakOnes() {
        requireFails("\"6-a\"");
        requireFails("W/\"7-a\"");
        requireFails("\"\"");
        requireFails("\"*\"");
        requireFails("W/\"6\", \"8\"");
    }

    @Test
    void ifNoneMatchTakesWeakTagsToo() {
        assertThat(EntityTags.noneMatchNames(List.of("\"7-a\""), "7-a")).isTrue();
        assertThat(EntityTags.noneMatchNames(List.of("W/\"7-a\""), "7-a")).isTrue();
        assertThat(EntityTags.noneMatchNames(List.of("\"x\", W/\"7-a\""), "7-a"))
                .isTrue();
        assertThat(EntityTags.noneMatchNames(List.of("*"), "7-a")).isTrue();
        assertThat(EntityTags.noneMatchNames(List.of("\"6-a\""), "7-a")).isFalse();
        assertThat(EntityTags.noneMatchNames(List.of(), "7-a")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "7-a", "\"7-a", "W/7-a", "\"a\" \"b\"", "w/\"7-a\"", "\"a\"x", "* *"})
    void aMalformedConditionIsRefused(String line) {
        assertThatThrownBy(() -> precondition(line))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.details())
                                .singleElement()
                                .extracting(io.pilothouse.core.base.Fault::path)
                                .isEqualTo("If-Match"));
        assertThat(EntityTags.noneMatchNames(List.of(line), "7-a"))
                .as("a whole answer does no harm")
                .isFalse();
    }
}
