package io.pilothouse.core.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.port.ProcessLimits.Share;
import org.junit.jupiter.api.Test;

class ProcessLimitsTest {
    @Test
    void largerOneHasMoreOfAProcessorThatSeveralWant() {
        assertThat(Share.byMemory(1)).isEqualTo(new Share(1, 0, 1));
        assertThat(Share.byMemory(8L << 30)).isEqualTo(new Share(8L << 30, 0, 8));
        assertThat(Share.byMemory(Long.MAX_VALUE).weight()).isEqualTo(10_000);
    }

    @Test
    void shareOfNothingIsRefused() {
        assertThatThrownBy(() -> new Share(0, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Share(1, -1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Share(1, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Share(1, 0, 10_001)).isInstanceOf(IllegalArgumentException.class);
    }
}
