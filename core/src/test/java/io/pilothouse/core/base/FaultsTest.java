package io.pilothouse.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FaultsTest {
    private final Faults faults = new Faults();

    @Test
    void theStandInForAnUnreadableItemIsJudgedNoMore() {
        faults.addUnreadable("list[1]", "must be an object");
        for (String path : List.of("list[1]", "list[1].name", "list[1][0]")) {
            faults.add(path, "is required");
        }
        assertThat(faults.list()).containsExactly(new Fault("list[1]", "must be an object"));
    }

    @Test
    void itsNeighboursAreJudged() {
        faults.addUnreadable("list[1]", "must be an object");
        List<String> others = List.of("list", "list[0].name", "list[10]", "other");
        others.forEach(path -> faults.add(path, "is wrong"));
        assertThat(faults.list()).extracting(Fault::path).contains("list", "list[0].name", "list[10]", "other");
    }
}
