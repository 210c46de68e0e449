package io.pilothouse.pipes.worker.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.pipes.wire.Span;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the lines of a ledger say about where a pipe was sent. */
class SeeksTest {
    private static final Seeks SENT = new Seeks(Map.of(
            "seek>", new Span("seek>", 2, 2, "end"),
            "seek>t:0", new Span("seek>t:0", 3, 3, "beginning"),
            "seek>t:1", new Span("seek>t:1", 1, 1, "")));
    private static final Seeks NEVER = new Seeks(Map.of());

    @Test
    void partsThatAreNotNamedBeginWhereAllDo() {
        assertThat(SENT.place("beginning")).isEqualTo("end");
        assertThat(SENT.placeOf("t:0")).contains("beginning");
        assertThat(SENT.placeOf("t:1")).isEmpty();
        assertThat(NEVER.place("beginning")).isEqualTo("beginning");
        assertThat(NEVER.placeOf("t:0")).isEmpty();
    }

    @Test
    void everySeekChangesTheCount() {
        assertThat(SENT.count("t:0")).isEqualTo("#2.3");
        assertThat(SENT.count("t:7")).isEqualTo("#2");
        assertThat(NEVER.count("t:0")).isEmpty();
    }

    @Test
    void minuteIsOfUtc() {
        assertThat(Seeks.minute("2026-01-01T00:30")).isEqualTo("2026-01-01T00:30:00Z");
    }
}
