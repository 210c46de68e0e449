package io.pilothouse.plane.local.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartListTest {
    private static final String A = "shop\torders\taa\t10";
    private static final String B = "shop\torders\tbb\t5";
    private static final String C = "shop\tstock\tcc\t1";

    private static PartList list(String... lines) {
        return PartList.parse(String.join("\n", lines));
    }

    @Test
    void whatWasThereBeforeAndAfterIsInTheBackup() {
        assertThat(list(A, B).and(list(B, C))).isEqualTo(list(B));
    }

    @Test
    void linesThatAreNoPartsArePassedOver() {
        assertThat(list("", "Code: 60", A)).isEqualTo(list(A));
    }

    @Test
    void itsTextIsReadBackAndItsRowsAreCounted() {
        assertThat(PartList.parse(list(C, A).text())).isEqualTo(list(A, C));
        assertThat(list(A, B, C, "x\ty\tdd\tmany").rows()).isEqualTo(16);
    }

    @Test
    void onlyItsOwnPartsAreAskedForAFewAtATime() {
        assertThat(list().questions()).isEmpty();
        assertThat(list(A, B, "x\ty\t'; DROP\t1", "other\torders\taa\t10").questions())
                .singleElement()
                .asString()
                .contains("hash_of_all_files IN ('aa', 'bb')");
        PartList many = new PartList(IntStream.range(0, 2_001)
                .mapToObj(i -> "shop\torders\tpart" + i + "\t1")
                .collect(Collectors.toSet()));
        assertThat(many.questions()).hasSize(3).allMatch(question -> question.length() < 40_000);
    }

    @Test
    void whatDidNotComeBackIsNamedByTable() {
        assertThat(list(A, C).missingIn(list(A, B, C))).isEmpty();
        assertThat(list(A, B, C).missingIn(list(C)))
                .isEqualTo(Optional.of("What came back is not what the service had: parts are missing or differ in"
                        + " shop.orders (parts: 2, rows: 15)."));
        assertThat(list(A, "b\tb\tb\t1", "c\tc\tc\t1", "d\td\td\t1", "e\te\te\t1")
                        .missingIn(list())
                        .orElseThrow())
                .contains("b.b (parts: 1, rows: 1), c.c", "d.d")
                .endsWith(" and 2 more tables.");
    }
}
