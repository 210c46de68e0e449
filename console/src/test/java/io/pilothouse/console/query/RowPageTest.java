package io.pilothouse.console.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RowPageTest {
    @Test
    void pagesLeadOnAndBackWhateverTheyHold() {
        RowPage third = RowPage.FIRST.next(500).next(20);
        assertThat(third).isEqualTo(new RowPage(520, List.of(0L, 500L)));
        assertThat(RowPage.of("520", third.beforeText())).isEqualTo(third);
        assertThat(third.previous()).contains(new RowPage(500, List.of(0L)));
        assertThat(third.previous().flatMap(RowPage::previous)).contains(RowPage.FIRST);
        assertThat(RowPage.FIRST.previous()).isEmpty();
    }

    @Test
    void whatIsNoPageIsTheFirst() {
        assertThat(List.of(
                        RowPage.of("", ""),
                        RowPage.of("-1", "0"),
                        RowPage.of("500", ""),
                        RowPage.of("500", "a"),
                        RowPage.of("9999999999999999", "0")))
                .containsOnly(RowPage.FIRST);
    }
}
