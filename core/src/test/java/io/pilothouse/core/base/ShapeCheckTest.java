package io.pilothouse.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How fields are read that clients leave empty. */
class ShapeCheckTest {
    private static final List<FieldShape> SHAPE = List.of(
            FieldShape.text("word"), FieldShape.texts("words"), FieldShape.number("count", NumberRule.whole(1, 9)));

    private final Faults faults = new Faults();

    private Tree.Members read(Map<String, Object> given) {
        return new ShapeCheck(faults).create("", SHAPE, Trees.members(given)).open();
    }

    @Test
    void anEmptyTextAndAnEmptyListSayNothing() {
        assertThat(read(Map.of("word", "", "words", List.of())).values().keySet())
                .containsExactly("words");
        assertThat(faults.list()).isEmpty();
    }

    @Test
    void anEmptyListInThePlaceOfSomethingElseIsOfTheWrongType() {
        read(Map.of("word", List.of(), "count", List.of()));
        assertThat(faults.list()).extracting(Fault::path).containsExactly("word", "count");
    }
}
