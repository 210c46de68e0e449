package io.pilothouse.core.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Rows as the store keeps them. */
class KeptRowTest {
    private final KeptRow row = new KeptRow("pipes", Arrays.asList("a", null, 7L, "bcd"));

    @Test
    void onlyTextsAreReplaced() {
        assertThat(row.with(text -> text.toUpperCase(Locale.ROOT)))
                .isEqualTo(new KeptRow("pipes", Arrays.asList("A", null, 7L, "BCD")));
        assertThat(row.text(3)).isEqualTo("bcd");
    }

    @Test
    void longerTextsTakeMoreRoom() {
        assertThat(row.size()).isEqualTo(5 + 1 + 8 + 8 + 3);
    }
}
