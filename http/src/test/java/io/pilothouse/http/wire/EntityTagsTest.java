package io.pilothouse.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntityTagsTest {
    private static void requireHolds(String line) {
        assertThatNoException()
                .isThrownBy(() -> EntityTags.precondition(List.of(line)).require("7-a"));
    }

    private static void requireFails(String line) {
        assertThatThrownBy(() -> EntityTags.precondition(List.of(line)).require("7-a"))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Refused.Reason.PRECONDITION_FAILED));
    }

    @Test
    void ifMatchHoldsForTheCurrentTagAndForAnyThing() {
        requireHolds("\"7-a\"");
        requireHolds("*");
        requireHolds("\"6-a\", \"7-a\"");
        requireHolds("\"6-a\" ,\t\"7-a\" ,");
        assertThat(EntityTags.precondition(List.of())).isEqualTo(Precondition.NONE);
        assertThatNoException()
                .isThrownBy(() ->
                        EntityTags.precondition(List.of("\"1\"", "\"7-a\"")).require("7-a"));
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
    void aConditionNobodyUnderstandsIsRefused(String line) {
        assertThatThrownBy(() -> EntityTags.precondition(List.of(line)))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.details())
                                .singleElement()
                                .extracting(io.pilothouse.core.base.Fault::path)
                                .isEqualTo("If-Match"));
        assertThatThrownBy(() -> EntityTags.noneMatchNames(List.of(line), "7-a"))
                .isInstanceOf(Refused.class);
    }
}
