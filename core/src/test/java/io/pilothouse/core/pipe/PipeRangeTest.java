package io.pilothouse.core.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a line of the ledger keeps. */
class PipeRangeTest {
    private static final PipeRange BEGUN = PipeRange.first(UUID.randomUUID(), "s:0", "", 4, 1, Instant.EPOCH);

    @Test
    void rangeIsWhatItWasWhenItWasFirstClaimed() {
        PipeRange claimed = BEGUN.pending(9, "..a", 1);
        assertThat(claimed.identity()).isEqualTo("..a");
        assertThat(claimed.pending(9, "..b", 2).identity()).isEqualTo("..a");
        PipeRange done = claimed.done(9, 2);
        assertThat(done.mark()).isEqualTo(9);
        assertThat(done.identity()).isEqualTo("..a");
        assertThat(done.pending(12, "a..b", 2).identity()).isEqualTo("a..b");
    }
}
