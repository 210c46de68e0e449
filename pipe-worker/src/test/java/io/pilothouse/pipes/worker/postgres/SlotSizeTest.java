package io.pilothouse.pipes.worker.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When the size of a slot is worth a warning. */
class SlotSizeTest {
    @Test
    void slotThatFillsTheDiskOfTheSourceIsWarnedOf() {
        assertThat(SlotSize.UNKNOWN.warning()).isEmpty();
        assertThat(new SlotSize((10L << 30) - 1, false).warning()).isEmpty();
        assertThat(new SlotSize(12L << 30, false).warning().orElseThrow()).contains("keeps 12 GiB of changes");
    }

    @Test
    void slotThatTheSourceIsAboutToGiveUpIsWarnedOfHoweverSmall() {
        assertThat(new SlotSize(1, true).warning().orElseThrow()).contains("max_slot_wal_keep_size");
    }
}
